import { createInterface } from 'node:readline/promises';
import { isDeepStrictEqual } from 'node:util';
import type { CarrierRoutes } from '../engine/connectors/carrier-routes.ts';
import type { CarrierNetwork } from '../engine/connectors/network.ts';
import { type AppContext, onTransaction } from '../run/app-context.ts';
import { describeChange } from './audited.ts';
import { type Difference, describe, differenceOf, isChanged, readRouteFile } from './route-file.ts';
import { CommandError, type Json, print, withAppContext } from './with-app-context.ts';

interface Opened {
  readonly network: CarrierNetwork;
  readonly routes: CarrierRoutes;
}

type Open = (appContext: AppContext) => Promise<Opened>;

/**
 * `routes apply`: shows how the routes of a file differ from the present ones and, after a confirmation, replaces them in one
 * transaction. Throws CommandError when the routes have changed between the two, and what `CarrierRoutes.create` throws.
 */
export async function applyFile(
  file: string,
  { json, yes = false }: Json & { readonly yes?: boolean },
  open: Open,
): Promise<void> {
  const wanted = readRouteFile(file);
  const differences = async (appContext: AppContext) => {
    const opened = await open(appContext);
    return { ...opened, difference: differenceOf(wanted, opened.network.stored.routes) };
  };
  let confirmed: Difference | undefined;
  await withAppContext(
    async (appContext) => {
      await appContext.database.sql.begin(async (tx) => {
        await tx`LOCK TABLE routing_rules IN SHARE ROW EXCLUSIVE MODE`;
        const { routes, difference } = await differences(onTransaction(appContext, tx));
        if (!isDeepStrictEqual(difference, confirmed))
          throw new CommandError('the routes have changed since they were compared: run the command again');
        await apply(routes, difference);
      });
      if (!json) print(json, undefined, `${wanted.length} routes apply within a second`);
    },
    {
      steps: true,
      async check(appContext) {
        const { difference } = await differences(appContext);
        const { shown, lines } = describe(difference);
        print(json, shown, lines.join('\n') || 'no differences');
        if (lines.length === 0) return false;
        if (!yes && !(await isConfirmed())) throw new CommandError('nothing was changed');
        confirmed = difference;
        const { added, changed, removed, order } = shown;
        describeChange(appContext, {
          kind: 'routes',
          before: { removed, changed: changed.map(({ before }) => before) },
          after: { added, changed: changed.map(({ after }) => after), order },
        });
        return true;
      },
    },
  );
}

/** Asks on the terminal. Throws CommandError without one. */
async function isConfirmed(): Promise<boolean> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) throw new CommandError('nothing was changed: add --yes to replace the routes');
  const lines = createInterface({ input: stdin, output: stderr });
  const answer = await lines.question('Replace the routes? [y/N] ');
  lines.close();
  return ['y', 'yes'].includes(answer.trim().toLowerCase());
}

/** Replaces the routes. From the last to the first, because each is placed before the one that follows it. */
async function apply(routes: CarrierRoutes, { pairs, removed }: Difference): Promise<void> {
  for (const { id } of removed) await routes.remove(id);
  /** Ids of the present routes in their order. */
  const order = routes.list().flatMap(({ id }) => id ?? []);
  let next: number | null = null;
  for (const pair of pairs.toReversed()) {
    const { wanted, present } = pair;
    if (present === undefined) {
      const { id } = await routes.create({ ...wanted, before: next });
      order.splice(next === null ? order.length : order.indexOf(next), 0, id!);
      next = id;
      continue;
    }
    const at = order.indexOf(present.id);
    const isPlaced = (order[at + 1] ?? null) === next;
    if (isChanged(pair) || !isPlaced)
      await routes.change(present.id, () => ({ ...wanted, before: isPlaced ? undefined : next }));
    if (!isPlaced) {
      order.splice(at, 1);
      order.splice(next === null ? order.length : order.indexOf(next), 0, present.id);
    }
    next = present.id;
  }
}
