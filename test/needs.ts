import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A program that npm cannot bring, of whose module a test file imports. */
interface Need {
  /** How an import of it ends. */
  readonly support: string;
  readonly program: string;
  readonly args: readonly string[];
  /** The package of Debian that brings it. */
  readonly debian: string;
  /** Whether the program has to succeed with `args`; else it only has to be there. */
  readonly mustSucceed?: boolean;
}

const needs: readonly Need[] = [
  // Mounting needs the rights of root, and a container may refuse it to root.
  {
    support: '/small-disk.ts',
    program: 'unshare',
    args: ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'],
    debian: 'util-linux, as root',
    mustSucceed: true,
  },
  { support: '/sipp.ts', program: 'sipp', args: ['-v'], debian: 'sip-tester' },
  { support: '/haproxy.ts', program: 'haproxy', args: ['-v'], debian: 'haproxy' },
  { support: '/nginx.ts', program: 'nginx', args: ['-v'], debian: 'nginx-light' },
  { support: '/dns-server.ts', program: 'dnsmasq', args: ['--version'], debian: 'dnsmasq-base' },
  { support: '/php.ts', program: 'php', args: ['--version'], debian: 'php-cli php-curl' },
  { support: '/tshark.ts', program: 'tshark', args: ['--version'], debian: 'tshark' },
  { support: '/kannel.ts', program: 'bearerbox', args: ['--version'], debian: 'kannel' },
  {
    support: '/net-smpp.ts',
    program: 'perl',
    args: ['-MNet::SMPP', '-e', '1'],
    debian: 'libnet-smpp-perl',
    mustSucceed: true,
  },
  {
    support: '/libsmpp34.ts',
    program: 'python3',
    args: ['-c', 'import ctypes; ctypes.CDLL("libsmpp34.so.1")'],
    debian: 'libsmpp34-1 python3',
    mustSucceed: true,
  },
  { support: '/python.ts', program: 'python3', args: ['--version'], debian: 'python3' },
  { support: '/prometheus.ts', program: 'prometheus', args: ['--version'], debian: 'prometheus' },
  {
    support: '/pg-tools.ts',
    program: 'pg_dump',
    args: ['--version'],
    debian: 'postgresql-15 postgresql-client-15',
  },
];

/** Test files that cannot run here, with the package that brings what they lack. */
export interface NotRun {
  readonly file: string;
  readonly debian: string;
}

/** Tells test files whose programs are installed from those that would lack one. */
export function sortByNeeds(files: readonly string[]): { runnable: string[]; missing: NotRun[] } {
  const absent = needs.filter(({ program, args, mustSucceed }) => {
    const { error, status } = spawnSync(program, args);
    return error !== undefined || (mustSucceed && status !== 0);
  });
  const runnable: string[] = [];
  const missing: NotRun[] = [];
  for (const file of files) {
    const text = absent.length > 0 ? readFileSync(file, 'utf8') : '';
    const need = absent.find(({ support }) => text.includes(`${support}'`));
    if (need) missing.push({ file, debian: need.debian });
    else runnable.push(file);
  }
  return { runnable, missing };
}
