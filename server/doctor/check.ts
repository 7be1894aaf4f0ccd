import type { AppContext } from '../app-context.ts';

/*
 * `carillon doctor` looks at a deployment. A check is a question with its answers; each says what was found and, where
 * something is wrong, what to do.
 */

/** `fail`: messages are lost, read by others or not sent; `warn`: it will happen, or is worth a look; `skip`: not looked at. */
export type FindingState = 'ok' | 'warn' | 'fail' | 'skip';

/** One answer of a check. */
export interface Finding {
  readonly state: FindingState;
  readonly found: string;
  /** What to do; '' when nothing is wrong. */
  readonly todo: string;
}

/** What a check is asked with. */
export interface DoctorContext {
  readonly appContext: AppContext;
  /** The DNS server that is asked, `address:port`; undefined: that of the machine. */
  readonly dnsServer: string | undefined;
}

export interface Check {
  /** Names it for programs. */
  readonly name: string;
  /** As the production checklist has it. */
  readonly title: string;
  /** What to do before it is right, for the checklist of the docs. */
  readonly about: string;
  run(context: DoctorContext): Promise<readonly Finding[]>;
}

/** A check with what it found. */
export interface Checked {
  readonly check: Check;
  readonly findings: readonly Finding[];
}

export const ok = (found: string): Finding => ({ state: 'ok', found, todo: '' });
export const skip = (found: string): Finding => ({ state: 'skip', found, todo: '' });
export const warn = (found: string, todo: string): Finding => ({ state: 'warn', found, todo });
export const fail = (found: string, todo: string): Finding => ({ state: 'fail', found, todo });

/** One look at something outside, at most. */
export const LOOK_MS = 10_000;

/** Waits for a look at something outside. Rejects after LOOK_MS. */
export async function inTime<T>(look: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('no answer within 10 seconds')), LOOK_MS);
  try {
    return await Promise.race([look, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the checks one after another. A check that throws has failed, with what was thrown. */
export async function* runChecks(checks: readonly Check[], context: DoctorContext): AsyncGenerator<Checked> {
  for (const check of checks) {
    try {
      yield { check, findings: await check.run(context) };
    } catch (error) {
      const found = `could not look: ${(error as Error).message}`;
      yield { check, findings: [warn(found, 'Mend what the message says, and look again.')] };
    }
  }
}

/** Whether a host is this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host === '::1' || /^127\./.test(host);
