import { readFile, statfs } from 'node:fs/promises';
import { getCACertificates } from 'node:tls';
import { type AnySchemaCheck, type Finding, fail, ok, skip, warn } from './check.ts';

const GIGABYTE = 1e9;
/** Less free space than this is worth a look, and less than the second no message should be accepted on. */
const LITTLE_BYTES = 10 * GIGABYTE;
const NO_BYTES = GIGABYTE;
const LITTLE_SHARE = 0.1;
/** Open files that a process needs in addition to its connections: PostgreSQL, carriers, webhooks, logs. */
const OTHER_FILES = 500;
/** Milliseconds that clocks may differ: validity, codes and signatures are in seconds. */
const MAX_SKEW_MS = 1_000;

/** Free space where data is written. */
export const diskCheck: AnySchemaCheck = {
  name: 'disk',
  title: 'Disk',
  about: 'Keep 10 GB and a tenth of the disk free where the data is, and create an alert for less.',
  anySchema: true,
  async run({ config }) {
    const { bsize, bavail, blocks } = await statfs(config.DATA_DIR);
    const free = bsize * bavail;
    const share = bavail / blocks;
    const found = `${(free / GIGABYTE).toFixed(1)} GB (${Math.round(share * 100)} %) are free at ${config.DATA_DIR}`;
    const todo = 'Free some space, or lower KEEP_DAYS: a full disk stops the database.';
    if (free < NO_BYTES) return [fail(found, todo)];
    if (free < LITTLE_BYTES || share < LITTLE_SHARE) return [warn(found, todo)];
    return [ok(found)];
  },
};

/** Compares the clock of the machine with the clock of the database. */
export const clockCheck: AnySchemaCheck = {
  name: 'clock',
  title: 'Clocks',
  about: 'Synchronise the clocks of all machines (NTP).',
  anySchema: true,
  async run({ database }) {
    const before = Date.now();
    const [row] = await database.sql<{ now: number }[]>`
      SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`;
    const after = Date.now();
    // The answer was made between the two.
    const skew = Math.max(0, before - row!.now, row!.now - after);
    const found =
      skew === 0
        ? 'the clocks of this machine and of the database agree'
        : `the clocks of this machine and of the database are ${skew} ms apart`;
    return [skew > MAX_SKEW_MS ? fail(found, 'Synchronise both with NTP.') : ok(found)];
  },
};

/** Checks that Node trusts the additional certificate authorities of the operator. */
export const certificatesCheck: AnySchemaCheck = {
  name: 'certificates',
  title: 'Certificate authorities',
  about:
    'If carriers, the relay or webhooks have certificates of your own authority, set `NODE_EXTRA_CA_CERTS` to its PEM file, in the environment of every process.',
  anySchema: true,
  async run() {
    const file = process.env.NODE_EXTRA_CA_CERTS;
    if (file === undefined)
      return [skip('NODE_EXTRA_CA_CERTS is not set: the authorities of Node are trusted')];
    const count = getCACertificates('extra').length;
    if (count > 0) return [ok(`certificates of ${file} that are trusted (NODE_EXTRA_CA_CERTS): ${count}`)];
    const todo =
      'Set it to a readable PEM file in the environment of the process; Node does not read it from .env.';
    return [fail(`no certificate of ${file} is trusted (NODE_EXTRA_CA_CERTS)`, todo)];
  },
};

/** Checks the limits that the operating system sets for a process. */
export const limitsCheck: AnySchemaCheck = {
  name: 'limits',
  title: 'Limits',
  about:
    'Allow as many open files as `HTTP_CONNECTIONS` and 500 more (`LimitNOFILE` of systemd, `ulimit -n`), and keep rate limits on.',
  anySchema: true,
  async run({ config }) {
    const findings: Finding[] = [await filesOf(config.HTTP_CONNECTIONS)];
    if (config.RATE_LIMIT_ACCOUNT === 0 || config.RATE_LIMIT_ADDRESS === 0) {
      const found = 'a rate limit is off (RATE_LIMIT_ACCOUNT or RATE_LIMIT_ADDRESS is 0)';
      findings.push(warn(found, 'Set both: one account, or one address, can hold up all others.'));
    } else findings.push(ok('rate limits are on'));
    return findings;
  },
};

async function filesOf(connections: number): Promise<Finding> {
  const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const limit = /^Max open files\s+(\d+|unlimited)/m.exec(text)?.[1];
  if (limit === undefined) return skip('this system does not report how many files may be open');
  const wanted = connections + OTHER_FILES;
  const found = `${limit} files may be open`;
  if (limit === 'unlimited' || Number(limit) >= wanted) return ok(found);
  const todo = `Raise it to ${wanted} for the service (LimitNOFILE, ulimit -n), or lower HTTP_CONNECTIONS.`;
  return warn(found, todo);
}
