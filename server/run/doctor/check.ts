import type { OpenDatabase } from '../../database/open.ts';
import type { Config } from '../../kit/config.ts';
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

/** The deployment that a check looks at, whatever the schema of its database is. */
export interface AnySchemaContext {
  readonly config: Config;
  readonly database: OpenDatabase;
  /** The DNS server that is asked, `address:port`; undefined: that of the machine. */
  readonly dnsServer: string | undefined;
}

/** The deployment, with a database that has the schema of this version. */
export interface DoctorContext {
  readonly appContext: AppContext;
  readonly dnsServer: string | undefined;
}

interface CheckOf<Context> {
  /** Names it for programs. */
  readonly name: string;
  /** As the production checklist has it. */
  readonly title: string;
  /** Task for the reader, for the checklist in the docs. */
  readonly about: string;
  run(context: Context): Promise<readonly Finding[]>;
}

/** A check that needs the tables of this version. It is skipped on another schema. */
export interface Check extends CheckOf<DoctorContext> {
  readonly anySchema?: never;
}

/** A check that reads no table of Carillon, or only those that every version has. */
export interface AnySchemaCheck extends CheckOf<AnySchemaContext> {
  readonly anySchema: true;
}

/** A check with what it found. */
export interface Checked {
  readonly check: Check | AnySchemaCheck;
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

/**
 * Runs the checks one after another. A check that throws has failed, with what was thrown. Without an app context, those that
 * need the schema of this version are skipped.
 */
export async function* runChecks(
  checks: readonly (Check | AnySchemaCheck)[],
  context: AnySchemaContext & { readonly appContext: AppContext | undefined },
): AsyncGenerator<Checked> {
  const { appContext } = context;
  for (const check of checks) {
    try {
      if (check.anySchema) yield { check, findings: await check.run(context) };
      else if (appContext)
        yield { check, findings: await check.run({ appContext, dnsServer: context.dnsServer }) };
      else yield { check, findings: [skip('not checked: it needs the schema of this version')] };
    } catch (error) {
      const found = `could not look: ${(error as Error).message}`;
      yield { check, findings: [warn(found, 'Fix the reported fault, and run the check again.')] };
    }
  }
}

/** Whether a host is this machine. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || host === '::1' || /^127\./.test(host);
