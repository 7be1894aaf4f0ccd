import { writeFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { noCarriers, readCarriers } from '../engine/carriers/configuration.ts';
import { messageKinds } from '../engine/carriers/route-conditions.ts';
import { CarrierRoutes } from '../engine/connectors/carrier-routes.ts';
import { Networks } from '../engine/connectors/look-ups/networks.ts';
import { CarrierNetwork } from '../engine/connectors/network.ts';
import { findRoute } from '../engine/connectors/v1/find-route.ts';
import { showQuality, showReplay, showRouteView } from '../engine/connectors/v1/route-bodies.ts';
import { routeQuery } from '../engine/connectors/v1/route-fields.ts';
import { replayRoutes } from '../engine/dispatch/route-replay.ts';
import type { AppContext } from '../run/app-context.ts';
import { applyFile } from './apply-routes.ts';
import { fileOf, readRouteFile, wordsOf } from './route-file.ts';
import { accountNamed, type Json, print, withAppContext } from './with-app-context.ts';

/** Maximum number of figures. */
const MAX_FIGURES = 500;
/** Longest span of a replay, in hours. */
const MAX_HOURS = 72;

/** `routes`: which connectors SMS go over. */
export function routeCommands(program: Command): void {
  const routes = program.command('routes').description('manages the routes of SMS');
  routes
    .command('list')
    .description(
      'lists the routes: those that operators added in their order, then those of the configuration',
    )
    .action(list);
  routes
    .command('find <phone>')
    .description('shows the route and connectors that a message would take; sends nothing')
    .option('--account <username>', 'account that sends')
    .option('--sender <sender>', 'sender of the message')
    .addOption(
      new Option('--kind <kind>', 'kind of the message').choices(messageKinds).default('transactional'),
    )
    .option('--at <time>', 'time when it is due, ISO 8601 (default: now)', readTime)
    .action(find);
  routes
    .command('quality')
    .description('lists the shares of delivered messages and used codes by prefix and connector')
    .option('--prefix <digits>', 'beginning of the prefixes', readPrefix, '')
    .action(quality);
  routes
    .command('replay <file>')
    .description('compares the present routes with those of a file, for the SMS of the last hours')
    .option('--hours <number>', `hours, up to ${MAX_HOURS}`, readHours, 24)
    .action(replay);
  routes
    .command('export [file]')
    .description('writes the added routes as JSON to a file (default: prints them)')
    .action(exportRoutes);
  routes
    .command('apply <file>')
    .description('shows how the added routes differ from those of a file, and replaces them')
    .option('--yes', 'replaces them without a question')
    .action((file: string, options: Json & { yes?: boolean }) => applyFile(file, options, openRoutes));
}

/** Opens the routes of the database. */
async function openRoutes(appContext: AppContext) {
  const { sql, ids, clock, secrets, log, config, numbers } = appContext;
  const network = new CarrierNetwork({
    ...{ sql, clock, secrets, log },
    configured: readCarriers(config) ?? noCarriers,
  });
  await network.reload();
  const routes = new CarrierRoutes({ sql, ids, clock, network });
  return { sql, clock, log, numbers, network, routes };
}

/** As `openRoutes`, with the remembered networks of numbers. */
async function openReading(appContext: AppContext) {
  const opened = await openRoutes(appContext);
  return { ...opened, numberNetworks: new Networks({ ...opened, allowPrivate: false }) };
}

async function list(options: Json): Promise<void> {
  await withAppContext(async (appContext) => {
    const { routes } = await openRoutes(appContext);
    const shown = routes.list().map(showRouteView);
    const lines = shown.map((route, at) => `${route.id === null ? '-' : at + 1}  ${wordsOf(route)}`);
    print(options.json, shown, lines.join('\n') || 'no routes');
  });
}

interface FindOptions extends Json {
  readonly account?: string;
  readonly sender?: string;
  readonly kind: (typeof messageKinds)[number];
  readonly at?: string;
}

async function find(phone: string, { json, account, sender, kind, at }: FindOptions): Promise<void> {
  await withAppContext(async (appContext) => {
    const deps = await openReading(appContext);
    const id = account === undefined ? undefined : (await accountNamed(appContext, account)).id;
    const query = routeQuery.parse({
      phone,
      sender,
      kind,
      at,
      ...(id !== undefined && { account: String(id) }),
    });
    const found = await findRoute(deps, query);
    await deps.numberNetworks.stop();
    const { route, up, connectors, routes } = found;
    const lines = [
      route ? `route ${wordsOf(route)}` : 'no route: the first connector that is up is used',
      up.length > 0 ? `over ${up.join(', ')}` : 'waits: no connector is up',
      ...connectors.map(
        ({ connector, state, price, share, quality: known }) =>
          `  ${connector}  ${state}  share ${Math.round(share * 100)} %${price === null ? '' : `  price ${price}`}${known ? `  ${sharesOf(known)}` : ''}`,
      ),
      ...routes.flatMap(({ name, why_not: why }) => (why === null ? [] : `not ${name}: ${why}`)),
    ];
    print(json, found, lines.join('\n'));
  });
}

async function quality({ json, prefix }: Json & { readonly prefix: string }): Promise<void> {
  await withAppContext(async (appContext) => {
    const { network } = await openRoutes(appContext);
    const figures = (await network.quality.measure({ prefix, limit: MAX_FIGURES })).map(showQuality);
    const lines = figures.map(
      (one) => `${one.prefix}  ${one.connector}  ${one.messages} messages  ${sharesOf(one)}`,
    );
    print(json, figures, lines.join('\n') || 'no messages in 60 hours');
  });
}

/** Words for the shares of a connector, with their lower bounds. */
function sharesOf(known: Omit<ReturnType<typeof showQuality>, 'prefix' | 'connector'>): string {
  const delivered = `delivered ${known.delivered_percent} % (at least ${known.lower_bound_percent} %)`;
  if (known.codes === 0) return delivered;
  return `${delivered}  used ${known.used_percent} % of ${known.codes} codes (at least ${known.used_lower_bound_percent} %)`;
}

async function replay(file: string, { json, hours }: Json & { readonly hours: number }): Promise<void> {
  const proposed = readRouteFile(file);
  await withAppContext(async (appContext) => {
    const deps = await openReading(appContext);
    const result = showReplay(await replayRoutes(deps, proposed, hours));
    await deps.numberNetworks.stop();
    const { messages, codes, moved, is_sample: isSample, before, after, connectors } = result;
    const both = (name: string, one: number, other: number) => `${name}  ${one} -> ${other}`;
    const lines = [
      `${moved} of ${messages} messages would take other connectors${isSample ? ' (a sample)' : ''}`,
      both('cost', before.cost, after.cost),
      both('messages without a price', before.without_price, after.without_price),
      both('expected deliveries', before.delivered, after.delivered),
      both('messages without a measured share', before.without_share, after.without_share),
      ...(codes > 0 ? [both('expected used codes', before.used, after.used)] : []),
      ...connectors.map((one) => both(one.connector, one.before, one.after)),
    ];
    print(json, result, lines.join('\n'));
  });
}

async function exportRoutes(file: string | undefined, options: Json): Promise<void> {
  await withAppContext(async (appContext) => {
    const { network } = await openRoutes(appContext);
    const exported = fileOf(network.stored.routes);
    const count = exported.routes.length;
    if (file === undefined) {
      print(options.json, exported, JSON.stringify(exported, null, 2));
      return;
    }
    writeFileSync(file, `${JSON.stringify(exported, null, 2)}\n`);
    print(options.json, { file, routes: count }, `${count} routes are in ${file}`);
  });
}

function readPrefix(value: string): string {
  if (!/^\d{0,15}$/.test(value)) throw new InvalidArgumentError('up to 15 digits, without +');
  return value;
}

function readTime(value: string): string {
  if (!routeQuery.shape.at.safeParse(value).success)
    throw new InvalidArgumentError('a time in ISO 8601 with an offset, like 2027-03-20T10:00:00Z');
  return value;
}

function readHours(value: string): number {
  const hours = Number(value);
  if (!/^\d{1,2}$/.test(value) || hours < 1 || hours > MAX_HOURS)
    throw new InvalidArgumentError(`1 to ${MAX_HOURS}`);
  return hours;
}
