import type { Context } from '../../server/context.ts';
import { onePlacement } from '../../server/database/placements.ts';
import { createLogger } from '../../server/observability/log.ts';
import { Work } from '../../server/work/work.ts';

/** Background work of one process, for parts that a test opens itself. */
export const workFor = (
  deps: Pick<Context, 'sql' | 'clock'> & Partial<Pick<Context, 'log'>>,
  owner = 'process',
): Work => new Work({ log: createLogger('silent'), ...deps, placements: onePlacement, owner });
