import type { Command } from 'commander';
import { EndpointUnknown } from '../engine/events/endpoints.ts';
import type { Events } from '../engine/events/events.ts';
import { type EndpointKind, type EventType, eventTypes, pushes } from '../engine/events/types.ts';
import { Refusal } from '../kit/errors.ts';
import { type AppContext, createEventModule, switchOf } from '../run/app-context.ts';
import { sandboxWanted } from './sandbox-wanted.ts';
import type { Json } from './with-app-context.ts';
import { accountNamed, CommandError, print, withAppContext } from './with-app-context.ts';

const kinds: readonly string[] = [...Object.keys(pushes), 'webhook'];

/** `webhook`: pushes and webhooks of accounts, and what they did not take. */
export function webhookCommands(program: Command): void {
  const webhook = program.command('webhook').description('manages pushes and webhooks of accounts');
  webhook
    .command('add <username> <url>')
    .description(`registers an endpoint; kinds: ${kinds.join(', ')}`)
    .option('--kind <kind>', 'kind of the endpoint', 'webhook')
    .option('--events <types>', `comma-separated, for a webhook: ${eventTypes.join(', ')} (default: all)`)
    .action((username: string, url: string, options: Json & { kind: string; events?: string }) =>
      onEvents(username, async (events, accountId) => {
        if (!kinds.includes(options.kind)) throw new CommandError(`a kind is one of ${kinds.join(', ')}`);
        const endpoint = await events.endpoints.register({
          accountId,
          kind: options.kind as EndpointKind,
          url,
          ...(options.events && {
            types: options.events.split(',').map((type) => type.trim()) as EventType[],
          }),
        });
        const secret = endpoint.secret === null ? '' : `, its secret is ${endpoint.secret}`;
        print(options.json, endpoint, `${endpoint.kind} ${endpoint.id} is registered${secret}`);
      }),
    );
  webhook
    .command('list <username>')
    .description('lists the endpoints of an account with their state')
    .action((username: string, options: Json) =>
      onEvents(username, async (events, accountId) => {
        const endpoints = await events.endpoints.list(accountId);
        const lines = endpoints.map(
          ({ id, kind, url, state, off_reason: reason }) =>
            `${id}  ${kind}  ${url}  ${state}${reason ? ` (${reason})` : ''}`,
        );
        print(options.json, endpoints, lines.join('\n') || 'none');
      }),
    );
  webhook
    .command('remove <username> <id>')
    .description('removes an endpoint')
    .action((username: string, id: string, options: Json) =>
      onEvents(username, async (events, accountId) => {
        await events.endpoints.remove(accountId, readId(id));
        print(options.json, { id: Number(id), removed: true }, `${id} is removed`);
      }),
    );
  webhook
    .command('enable <username> <id>')
    .description('enables an endpoint that was disabled')
    .action((username: string, id: string, options: Json) =>
      onEvents(username, async (events, accountId) => {
        const endpoint = await events.endpoints.enable(accountId, readId(id));
        print(options.json, endpoint, `${id} is enabled`);
      }),
    );
  webhook
    .command('failed <username>')
    .description('lists events that are being retried or have failed')
    .action((username: string, options: Json) =>
      onEvents(username, async (events, accountId) => {
        const deliveries = await events.pendingDeliveries({ accountId });
        const lines = deliveries.map(
          (one) =>
            `${one.id}  to ${one.endpoint_id}  ${one.state}  ${one.attempts} attempts  ${one.last_error ?? one.last_status ?? ''}`,
        );
        print(options.json, deliveries, lines.join('\n') || 'nothing');
      }),
    );
  webhook
    .command('replay <username>')
    .description('sends failed events again; with --from and --to --delivered also delivered ones')
    .option('--endpoint <id>', 'only for this endpoint')
    .option('--delivery <id>', 'only this delivery')
    .option('--from <time>', 'from this time, for example 2026-11-20T08:00Z')
    .option('--to <time>', 'before this time')
    .option('--delivered', 'also delivered events')
    .action(replay);
}

function replay(
  username: string,
  options: Json & { endpoint?: string; delivery?: string; from?: string; to?: string; delivered?: boolean },
): Promise<void> {
  return onEvents(username, async (events, accountId) => {
    const count = await events.replay({
      accountId,
      endpointId: options.endpoint === undefined ? undefined : readId(options.endpoint),
      deliveryId: options.delivery === undefined ? undefined : readId(options.delivery),
      from: readTime(options.from),
      to: readTime(options.to),
      delivered: options.delivered === true,
    });
    print(options.json, { count }, `${count} will be sent again`);
  });
}

/** Runs a command on the events of an account; what it refuses is said without a stack. */
async function onEvents(
  username: string,
  work: (events: Events, accountId: number) => Promise<void>,
): Promise<void> {
  await withAppContext(async (appContext) => {
    const { id } = await accountNamed(appContext, username);
    try {
      await work(eventsOf(appContext), id);
    } catch (error) {
      if (error instanceof EndpointUnknown) {
        throw new CommandError(`the account has no endpoint ${error.endpointId}`);
      }
      throw error instanceof Refusal ? new CommandError(error.problem) : error;
    }
  });
}

function eventsOf(appContext: AppContext): Events {
  const { config } = appContext;
  const allowPrivate = switchOf(
    config.WEBHOOKS_TO_PRIVATE_ADDRESSES,
    sandboxWanted(config) && !config.SANDBOX_PUBLIC,
  );
  return createEventModule(appContext, { allowPrivate, deliver: false });
}

function readId(value: string): number {
  if (!/^\d{1,16}$/.test(value)) throw new CommandError(`"${value}" is no id`);
  return Number(value);
}

function readTime(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw new CommandError(`"${value}" is no time like 2026-11-20T08:00Z`);
  return time;
}
