import { clockJump } from './clock.ts';
import type { ProcessNumber } from './database/processes.ts';
import type { Logger } from './observability/log.ts';
import { stuckOwners } from './owners.ts';
import type { TlsFault } from './tls-faults.ts';

const DATABASE_MS = 2_000;
/** Everybody may ask, and looking costs a write: an answer stands this long. */
const FRESH_MS = 500;

/** Something that keeps the service from working. */
interface Problem {
  /** For everybody: fixed words. */
  readonly what: string;
  /** For the operator: what the database or the network said. */
  readonly detail: string;
}

/** What `/readyz` tells. */
export interface Health {
  /** Empty when the service can accept and dispatch. */
  problems(): Promise<Problem[]>;
  /** What this process does of dispatch; `standby`: others hold every connector. Undefined without the role. */
  readonly dispatch: 'active' | 'standby' | undefined;
}

/** Looks at the database, at work that does not go on, at the clock and, where there is a dispatcher, at the links. Problems that are new are logged. */
export function createHealth(deps: {
  /** Its row is what is written. */
  readonly process: Pick<ProcessNumber, 'renew'>;
  readonly dispatcher:
    | {
        readonly ready: boolean;
        readonly part: 'active' | 'standby';
        readonly blocked: readonly { readonly link: string; readonly fault: TlsFault }[];
      }
    | undefined;
  readonly log: Logger;
}): Health {
  const { dispatcher, log } = deps;
  let told = '';
  let asked: Promise<unknown> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    get dispatch() {
      return dispatcher?.part;
    },
    async problems() {
      const found: Problem[] = [];
      if (!asked || performance.now() - askedAt > FRESH_MS) {
        askedAt = performance.now();
        asked = writeToDatabase(deps.process);
      }
      await asked.catch((error: Error) => {
        found.push({ what: 'database: not available', detail: `database: ${error.message}` });
      });
      for (const what of stuckOwners()) found.push({ what, detail: what });
      const jump = clockJump();
      if (jump !== undefined) found.push({ what: 'clock: the clock has jumped', detail: `clock: ${jump}` });
      if (dispatcher && !dispatcher.ready) {
        const what = 'carriers: no link is up';
        found.push({ what, detail: what });
      }
      for (const { link, fault } of dispatcher?.blocked ?? []) {
        found.push({
          what: `carriers: TLS is not accepted (${fault.reason})`,
          detail: `carriers: TLS of ${link} is not accepted (${fault.reason}): ${fault.detail}`,
        });
      }
      const words = found.map(({ detail }) => detail).join('; ');
      if (words !== told && words !== '') log.warn({ problems: words }, 'not ready');
      told = words;
      return found;
    },
  };
}

/** A write: a database that can only be read is of no use. */
async function writeToDatabase(process: Pick<ProcessNumber, 'renew'>): Promise<void> {
  const limit = AbortSignal.timeout(DATABASE_MS);
  const late = new Promise<never>((_resolve, reject) => {
    limit.addEventListener('abort', () => reject(new Error('no answer within 2 seconds')), { once: true });
  });
  await Promise.race([process.renew(), late]);
}
