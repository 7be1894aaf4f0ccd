import { onePlacement } from '../../server/database/placements.ts';
import { Work } from '../../server/engine/work/work.ts';
import type { Context } from '../../server/kit/context.ts';
import { createLogger } from '../../server/kit/observability/log.ts';

/** Background work of one process, for parts that a test opens itself. */
export const workFor = (
  deps: Pick<Context, 'sql' | 'clock'> & Partial<Pick<Context, 'log'>>,
  owner = 'process',
): Work =>
  new Work({
    log: createLogger('silent'),
    asyncCommitSql: deps.sql,
    ...deps,
    placements: onePlacement,
    owner,
  });
