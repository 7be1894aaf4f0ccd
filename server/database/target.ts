import type pg from 'pg';
import { parse } from 'pg-connection-string';

/** Address of a PostgreSQL, or the socket folder and password of the embedded one. */
export type DatabaseTarget =
  | { readonly url: string }
  | { readonly host: string; readonly port: number; readonly password: string; readonly database: string };

/** Settings of a session, by their names in PostgreSQL. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/** Parameters of an address that are not settings of the session. */
const known = new Set([
  'host', 'port', 'user', 'password', 'database', 'ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation',
  'uselibpqcompat', 'application_name', 'fallback_application_name', 'options', 'client_encoding', 'connect_timeout',
]); // biome-ignore format: a list

/** Milliseconds until the kernel probes a silent connection. */
const KEEP_ALIVE_MS = 10_000;

/** Returns the driver's configuration. `settings` apply unless the address overrides them. */
export function clientConfig(
  target: DatabaseTarget,
  application: string,
  settings: SessionSettings,
): pg.ClientConfig {
  const common = { keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS };
  if (!('url' in target)) {
    const { host, port, password, database } = target;
    const options = writeOptions(settings);
    return {
      ...common,
      host,
      port,
      password,
      database,
      user: 'carillon',
      application_name: application,
      options,
    };
  }
  const url = new URL(target.url);
  // `require` has libpq's meaning: encrypted, without checking the certificate.
  if (url.searchParams.has('sslmode')) url.searchParams.set('uselibpqcompat', 'true');
  if (url.searchParams.get('sslmode') === 'allow') url.searchParams.set('sslmode', 'prefer');
  const { options = '', ...read } = parse(url.href) as pg.ClientConfig & { options?: string };
  const ours = Object.fromEntries(Object.entries(settings).filter(([name]) => !url.searchParams.has(name)));
  const theirs = Object.fromEntries([...url.searchParams].filter(([name]) => !known.has(name)));
  return {
    application_name: application,
    ...common,
    ...read,
    options: [writeOptions({ ...ours, ...theirs }), options].filter((part) => part !== '').join(' '),
  };
}

/** Whether an address that prefers encryption also accepts a server without it. */
export function prefersEncryption(target: DatabaseTarget): boolean {
  if (!('url' in target)) return false;
  return ['allow', 'prefer'].includes(new URL(target.url).searchParams.get('sslmode') ?? '');
}

/** Returns settings as the start-up message's `options`: `-c name=value`, with blanks and backslashes escaped. */
function writeOptions(settings: SessionSettings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${String(value).replace(/[\\ ]/g, '\\$&')}`)
    .join(' ');
}
