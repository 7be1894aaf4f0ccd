import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Name of a relay configured without a name. */
export const DEFAULT_RELAY = 'relay';

/** How to reach a relay, and its limits. */
export interface RelaySettings {
  /** Its route and connector are named `mail/<name>`. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** TLS from the first octet. */
  readonly isSecure: boolean;
  /** STARTTLS: if the relay offers it, always (a relay without it is not used), or never. */
  readonly startTls: 'auto' | 'required' | 'off';
  /** Whether the relay's certificate must be trusted, currently valid, and issued for its name. */
  readonly verify: boolean;
  /** PEM of the certification authorities to trust instead of the machine's. */
  readonly ca: string | undefined;
  /** Name that the certificate must have; the relay's host when undefined. */
  readonly servername: string | undefined;
  readonly user: string | null;
  readonly password: string | null;
  readonly connections: number;
  /** Emails per second; 0 means no limit. */
  readonly mailsPerSecond: number;
  /** Milliseconds to wait for an answer. */
  readonly timeoutMs: number;
}

const whole = (least: number, most: number, fallback: number) =>
  z.coerce
    .number(`must be a whole number from ${least} to ${most}`)
    .int(`must be a whole number from ${least} to ${most}`)
    .min(least, `must be a whole number from ${least} to ${most}`)
    .max(most, `must be a whole number from ${least} to ${most}`)
    .default(fallback);

const options = z.strictObject({
  name: z
    .string()
    .regex(/^[\w-]{1,40}$/, 'must have letters, digits, - and _ alone')
    .default(DEFAULT_RELAY),
  connections: whole(1, 100, 5),
  rate: whole(0, 100_000, 0),
  timeout: whole(1, 3_600, 300),
  tls: z.enum(['auto', 'required', 'off'], 'must be auto, required or off').default('auto'),
  verify: z.enum(['on', 'off'], 'must be on or off').default('on'),
  ca: z.string().min(1, 'must be a file or a certificate in PEM').optional(),
  servername: z.string().min(1, 'must be a name').optional(),
});

/** Returns the PEM, or reads the file that contains it. Throws Error when it contains no certificate. */
function readAuthorities(given: string): string {
  try {
    const pem = given.includes('-----BEGIN') ? given : readFileSync(given, 'utf8');
    new X509Certificate(pem);
    return pem;
  } catch (error) {
    throw new Error(`ca must be a file or a certificate in PEM: ${(error as Error).message}`);
  }
}

/**
 * Parses `smtp://user:password@host:587?rate=100` (`smtps://`: TLS from the first octet). Options: `name`,
 * `connections`, `rate` (emails per second), `timeout` (seconds), `tls` (`auto`, `required`, `off`), `verify` (`on`,
 * `off`), `ca` (a file or PEM), `servername`. Throws Error that names the invalid option.
 */
export function readRelay(address: string): RelaySettings {
  const url = new URL(address);
  const given = options.safeParse(Object.fromEntries(url.searchParams));
  if (!given.success) {
    const [issue] = given.error.issues;
    throw new Error(`${issue!.path.join('.') || 'options'} ${issue!.message}`);
  }
  const isSecure = url.protocol === 'smtps:';
  const { name, connections, rate, timeout, tls, verify, ca, servername } = given.data;
  if (isSecure && tls === 'off') throw new Error('tls cannot be off with smtps://');
  return {
    name,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    startTls: tls,
    verify: verify === 'on',
    ca: ca === undefined ? undefined : readAuthorities(ca),
    servername,
    user: url.username === '' ? null : decodeURIComponent(url.username),
    password: url.password === '' ? null : decodeURIComponent(url.password),
    connections,
    mailsPerSecond: rate,
    timeoutMs: timeout * 1_000,
  };
}
