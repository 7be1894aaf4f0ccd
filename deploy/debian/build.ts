import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildConsole } from '../../console/build.ts';
import { buildSite } from '../../site/build.ts';
import { buildProgram } from '../../tools/build-program.ts';
import { checksums, filesOf, setTimes, writeProgram } from './tree.ts';

/*
 * Builds the Debian package of this version for the architecture of this machine (`npm run package`), from the packages that `npm ci` has
 * installed. Needs dpkg-deb. Two builds of one state give the same file: times come from SOURCE_DATE_EPOCH, or else from the last commit.
 */

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path));
/** Debian's names of the architectures that the embedded PostgreSQL supports. */
const architectures: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  arm: 'armhf',
  ia32: 'i386',
  ppc64: 'ppc64el',
};

interface PackageOptions {
  readonly version: string;
  /** Folder in which to write the package. */
  readonly out: string;
  /** Compression of dpkg-deb: `xz`, or `gzip`, which needs a fifth of the time. */
  readonly compression: string;
}

/** Builds the package and returns its path. Throws when a program fails or the machine has no Debian architecture. */
export async function buildPackage({ version, out, compression }: PackageOptions): Promise<string> {
  const architecture = process.platform === 'linux' ? architectures[process.arch] : undefined;
  if (architecture === undefined)
    throw new Error(`there is no Debian architecture for ${process.platform}-${process.arch}`);
  await Promise.all([buildProgram(), buildConsole(), buildSite()]);
  const folder = mkdtempSync(join(tmpdir(), 'carillon-package-'));
  try {
    writeProgram(root, join(folder, 'usr/lib/carillon'), version);
    writeSystemFiles(folder);
    const files = filesOf(folder);
    writeFileSync(join(folder, 'md5sums'), checksums(folder, files));
    const kilobytes = Math.ceil(files.reduce((sum, { size }) => sum + Math.max(size, 1_024), 0) / 1_024);
    writeControl(folder, { version, architecture, kilobytes });
    const epoch = process.env.SOURCE_DATE_EPOCH ?? timeOfCommit();
    setTimes(folder, Number(epoch));
    mkdirSync(out, { recursive: true });
    const file = join(out, `carillon_${version}_${architecture}.deb`);
    execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', folder, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: epoch },
    });
    return file;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes the files of the package outside of /usr/lib/carillon. */
function writeSystemFiles(folder: string): void {
  const write = (path: string, content: Buffer | string, mode = 0o644) => {
    const file = join(folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, content);
    chmodSync(file, mode);
  };
  const compressed = (content: Buffer) => gzipSync(content, { level: 9 });
  const documents = 'usr/share/doc/carillon';
  const node = `node_modules/node/node_modules/node-${process.platform}-${process.arch}`;
  write('usr/bin/carillon', read('deploy/debian/carillon.sh'), 0o755);
  write('usr/lib/carillon/defaults.env', read('deploy/debian/defaults.env'));
  write('lib/systemd/system/carillon.service', read('deploy/systemd/carillon.service'));
  write('etc/carillon/carillon.env', read('deploy/debian/carillon.env'), 0o640);
  mkdirSync(join(folder, 'etc/carillon/secrets'), { mode: 0o750 });
  write(`${documents}/copyright`, read('deploy/debian/copyright'));
  write(`${documents}/changelog.gz`, compressed(read('CHANGELOG.md')));
  write(`${documents}/LICENSE.nodejs.gz`, compressed(read(`${node}/LICENSE`)));
  write(`${documents}/examples/nginx.conf`, read('deploy/nginx/carillon.conf'));
}

interface Control {
  readonly version: string;
  readonly architecture: string;
  /** Installed size. */
  readonly kilobytes: number;
}

/** Writes the folder DEBIAN: the control file, the scripts of the maintainer, and the sums that are in `folder` already. */
function writeControl(folder: string, { version, architecture, kilobytes }: Control): void {
  const control = join(folder, 'DEBIAN');
  mkdirSync(control);
  const write = (name: string, content: Buffer | string, mode: number) => {
    writeFileSync(join(control, name), content);
    chmodSync(join(control, name), mode);
  };
  const fields = {
    Package: 'carillon',
    Version: version,
    Architecture: architecture,
    Maintainer: 'The authors of Carillon <carillon@localhost>',
    'Installed-Size': kilobytes,
    Depends: 'libc6 (>= 2.28), libgcc-s1, libstdc++6, adduser, init-system-helpers (>= 1.54~), util-linux',
    Suggests: 'espeak-ng, nginx',
    Section: 'net',
    Priority: 'optional',
    Description: `self-hosted messaging: SMS, voice, one-time codes, chat and email
 The service of Carillon with its own Node.js and PostgreSQL, run by systemd. Its settings
 are in /etc/carillon/carillon.env, its data is in /var/lib/carillon.`,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  write('control', lines.join(''), 0o644);
  write('conffiles', '/etc/carillon/carillon.env\n', 0o644);
  write('md5sums', readFileSync(join(folder, 'md5sums')), 0o644);
  rmSync(join(folder, 'md5sums'));
  for (const script of ['postinst', 'prerm', 'postrm']) write(script, read(`deploy/debian/${script}`), 0o755);
}

/** Time of the last commit, or now outside of a repository, in seconds. */
function timeOfCommit(): string {
  try {
    return execFileSync('git', ['log', '-1', '--format=%ct'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return String(Math.floor(Date.now() / 1_000));
  }
}

if (import.meta.main) {
  const { version } = JSON.parse(read('package.json').toString()) as { version: string };
  const { values } = parseArgs({
    options: {
      version: { type: 'string', default: version },
      out: { type: 'string', default: join(root, 'dist') },
      compression: { type: 'string', default: 'xz' },
    },
  });
  console.log(await buildPackage(values));
}
