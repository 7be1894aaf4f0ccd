import { z } from 'zod';

/** The name of a relay that was given none. */
export const DEFAULT_RELAY = 'relay';

/** How to reach a relay, and how much it takes. */
export interface RelaySettings {
  /** Of its route and link: `mail/<name>`. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** TLS from the first octet; without it STARTTLS is used where the relay offers it. */
  readonly isSecure: boolean;
  /** Fails where STARTTLS is not offered. */
  readonly needsTls: boolean;
  readonly user: string | null;
  readonly password: string | null;
  readonly connections: number;
  /** Mails a second; 0 is no limit. */
  readonly mailsPerSecond: number;
  /** How long an answer is waited for, in milliseconds. */
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
  tls: z.enum(['auto', 'required'], 'must be auto or required').default('auto'),
});

/**
 * Reads `smtp://user:password@host:587?rate=100` (`smtps://`: TLS from the first octet). Options: `name`, `connections`,
 * `rate` (mails a second), `timeout` (seconds), `tls=required`. Throws Error with what is wrong.
 */
export function readRelay(address: string): RelaySettings {
  const url = new URL(address);
  const given = options.safeParse(Object.fromEntries(url.searchParams));
  if (!given.success) {
    const [issue] = given.error.issues;
    throw new Error(`${issue!.path.join('.') || 'options'} ${issue!.message}`);
  }
  const isSecure = url.protocol === 'smtps:';
  const { name, connections, rate, timeout, tls } = given.data;
  return {
    name,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    needsTls: tls === 'required',
    user: url.username === '' ? null : decodeURIComponent(url.username),
    password: url.password === '' ? null : decodeURIComponent(url.password),
    connections,
    mailsPerSecond: rate,
    timeoutMs: timeout * 1_000,
  };
}
