import type { Sql } from '../database/connection.ts';
import { clockDifference } from '../database/lease-clock.ts';
import type { ProcessNumber } from '../database/processes.ts';
import { testRefusedWrites, writeRefusalOf } from '../database/refusals.ts';
import { clockJump } from '../kit/clock.ts';
import type { Logger } from '../kit/observability/log.ts';
import { stuckOwners } from '../kit/owners.ts';
import type { TlsFault } from '../kit/tls-faults.ts';

/** Milliseconds for a check of the database: probes time out after a few seconds. */
const DATABASE_MS = 2_000;
/**
 * Milliseconds for which one check of the database answers all probes: anybody may send them, and each check costs a
 * write.
 */
const FRESH_MS = 1_000;

/** The two kinds of readiness of `/readyz`: to accept messages, and to dispatch them. */
export const purposes = ['accept', 'dispatch'] as const;
export type Purpose = (typeof purposes)[number];

/** A problem that keeps this process from working. */
interface Problem {
  /** For everybody: a constant text. */
  readonly what: string;
  /** For the operator: the error of the database or the network. */
  readonly detail: string;
}

/** The readiness of this process. */
export interface Health {
  /**
   * Returns the problems that affect a purpose. `accept`: the database takes writes, and requests are not stuck.
   * `dispatch`: as `accept`, plus the connectors, the clock and every other kind of work. Takes 2 seconds at most.
   */
  problems(purpose: Purpose): Promise<Problem[]>;
  /** Role of this process in dispatch; `standby`: other processes hold every connector. Undefined without the role. */
  readonly dispatch: 'active' | 'standby' | undefined;
}

interface HealthDeps {
  /** The check of the database writes to its row. */
  readonly process: Pick<ProcessNumber, 'renew'>;
  readonly sql: Sql;
  readonly dispatcher:
    | {
        readonly ready: boolean;
        readonly part: 'active' | 'standby';
        readonly blocked: readonly { readonly connector: string; readonly fault: TlsFault }[];
      }
    | undefined;
  readonly log: Logger;
}

/** Problem of owners without which no request is accepted. */
const ACCEPTING = 'stuck: accept';

/** Creates the readiness of a process. Logs each problem at its beginning and end, whoever calls. */
export function createHealth({ process, sql, dispatcher, log }: HealthDeps): Health {
  const check = (look: Look) => logChanges(look, log);
  const database = check(
    databaseProblems(async () => {
      await process.renew();
      await testRefusedWrites(sql);
    }),
  );
  const accepting = check(async () => plain(stuckOwners().filter((what) => what === ACCEPTING)));
  const otherWork = check(async () => plain(stuckOwners().filter((what) => what !== ACCEPTING)));
  const clock = check(async () => {
    const jump = clockJump();
    const apart = clockDifference();
    return [
      ...(jump === undefined ? [] : [{ what: 'clock: the clock has jumped', detail: `clock: ${jump}` }]),
      ...(apart === undefined
        ? []
        : [{ what: "clock: differs from the database's", detail: `clock: ${apart}` }]),
    ];
  });
  const carriers = check(async () =>
    dispatcher ? carrierProblems(dispatcher) : plain(['dispatch: this process does not have the role']),
  );
  const checks: Readonly<Record<Purpose, readonly Look[]>> = {
    accept: [database, accepting],
    dispatch: [database, accepting, otherWork, clock, carriers],
  };
  return {
    get dispatch() {
      return dispatcher?.part;
    },
    problems: async (purpose) => (await Promise.all(checks[purpose].map((look) => look()))).flat(),
  };
}

/** Returns the current problems. */
type Look = () => Promise<Problem[]>;

/** Logs each problem of a check at its beginning and end. */
function logChanges(look: Look, log: Logger): Look {
  const since = new Map<string, number>();
  return async () => {
    const found = await look();
    for (const { what, detail } of found) {
      if (since.has(what)) continue;
      since.set(what, performance.now());
      log.warn({ problem: detail }, 'not ready');
    }
    for (const [what, began] of since) {
      if (found.some((problem) => problem.what === what)) continue;
      since.delete(what);
      log.info({ problem: what, seconds: Math.round((performance.now() - began) / 100) / 10 }, 'ready again');
    }
    return found;
  };
}

const plain = (words: readonly string[]): Problem[] => words.map((what) => ({ what, detail: what }));

function carrierProblems({ ready, blocked }: NonNullable<HealthDeps['dispatcher']>): Problem[] {
  return [
    ...plain(ready ? [] : ['carriers: no connector is up']),
    ...blocked.map(({ connector, fault }) => ({
      what: `carriers: TLS is not accepted (${fault.reason})`,
      detail: `carriers: TLS of ${connector} is not accepted (${fault.reason}): ${fault.detail}`,
    })),
  ];
}

/**
 * Tests the database with a write, because a read-only database is not sufficient. Probes share one write a second;
 * while a write is pending, no second one is sent.
 */
function databaseProblems(write: () => Promise<void>): Look {
  let writing: Promise<unknown> | undefined;
  let asked: Promise<unknown> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (!asked || performance.now() - askedAt > FRESH_MS) {
      askedAt = performance.now();
      writing ??= write().finally(() => {
        writing = undefined;
      });
      asked = within(writing);
    }
    try {
      await asked;
      return [];
    } catch (error) {
      const refusal = writeRefusalOf(error);
      const what = refusal === undefined ? 'not available' : `refuses writes (SQLSTATE ${refusal})`;
      return [{ what: `database: ${what}`, detail: `database: ${(error as Error).message}` }];
    }
  };
}

async function within(writing: Promise<unknown>): Promise<void> {
  const limit = AbortSignal.timeout(DATABASE_MS);
  const late = new Promise<never>((_resolve, reject) => {
    limit.addEventListener('abort', () => reject(new Error('no answer within 2 seconds')), { once: true });
  });
  await Promise.race([writing, late]);
}
