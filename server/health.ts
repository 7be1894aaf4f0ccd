import type { Sql } from './database/connection.ts';
import type { Logger } from './observability/log.ts';

const DATABASE_MS = 2_000;

/** Something that keeps the service from working. */
export interface Problem {
  /** For everybody: fixed words. */
  readonly what: string;
  /** For the operator: what the database or the network said. */
  readonly detail: string;
}

/** What `/readyz` tells. */
export interface Health {
  /** Empty when the service can accept and dispatch. */
  problems(): Promise<Problem[]>;
}

/** Looks at the database and, where there is a dispatcher, at the links. Problems that are new are logged. */
export function createHealth(deps: {
  readonly sql: Sql;
  readonly dispatcher: { readonly ready: boolean } | undefined;
  readonly log: Logger;
}): Health {
  const { sql, dispatcher, log } = deps;
  let told = '';
  return {
    async problems() {
      const found: Problem[] = [];
      await askDatabase(sql).catch((error: Error) => {
        found.push({ what: 'database: not available', detail: `database: ${error.message}` });
      });
      if (dispatcher && !dispatcher.ready) {
        const what = 'carriers: no link is up';
        found.push({ what, detail: what });
      }
      const words = found.map(({ detail }) => detail).join('; ');
      if (words !== told && words !== '') log.warn({ problems: words }, 'not ready');
      told = words;
      return found;
    },
  };
}

async function askDatabase(sql: Sql): Promise<void> {
  const limit = AbortSignal.timeout(DATABASE_MS);
  const late = new Promise<never>((_resolve, reject) => {
    limit.addEventListener('abort', () => reject(new Error('no answer within 2 seconds')), { once: true });
  });
  await Promise.race([sql`SELECT 1`, late]);
}
