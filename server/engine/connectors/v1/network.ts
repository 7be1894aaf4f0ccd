import { z } from 'zod';
import { dailyWork, operatorChanges, operatorReads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { field, whole } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { channels } from '../../../channels/index.ts';
import { faultReasons } from '../../../kit/connector-faults.ts';
import { Refusal } from '../../../kit/errors.ts';
import type { SandboxControls } from '../../../run/sandbox-handle.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { ConnectorState } from '../../dispatch/connector-states.ts';
import { listConnectorStates } from '../../dispatch/connector-states.ts';
import { ageBounds, queuesByAccount, queuesByLane } from '../../dispatch/queues.ts';
import { laneNames } from '../../messages/lanes.ts';
import { type ChannelName, channelNames } from '../../messages/v1/fields.ts';

const ACCOUNTS_SHOWN = 50;
const YEAR = 366 * 86_400;

interface Trunk {
  readonly name: string;
  readonly callerId: string;
  readonly callsPerSecond: number;
  readonly prefixes: string[];
}

/** Returns the channel of a connector other than a trunk, by the prefix of its name. */
function channelOfConnector(name: string): ChannelName {
  return channels.ofRoute(name).name;
}

const connectorStates = ['up', 'down', 'free'] as const;
const trunkAnswer = z.object({
  caller_id: out.text('Caller number of its calls.', '97237000000'),
  calls_per_second: out.number('Maximum new calls per second; 0 is no limit.', 1),
  prefixes: out.texts(
    'Prefixes of the numbers that it accepts, international digits; empty matches every number.',
    [''],
  ),
});
const showTrunk = serializer(trunkAnswer);
const problemAnswer = z.object({
  reason: out.oneOf(
    faultReasons,
    'Cause. Up to `handshake` it is TLS: the certificate, or TLS is not offered (`not-offered`) or fails. `unknown-host` and `dns`: the name has no address, or DNS does not answer. `refused`, `unreachable`, `timeout` and `closed`: the network or the carrier. `access`: user name, password or token. `rejected`: the carrier refused the session for another reason.',
    'access',
  ),
  detail: out.text('Error or status in the protocol.', 'bind: ESME_RINVPASWD'),
  since: out.time('Time since which this is the cause'),
});
const showProblem = serializer(problemAnswer);
const carrierAnswer = z.object({
  name: out.text(
    'Name of the connector; `chat/` and the number for a business number, `mail/` and the name for a mail relay.',
    'sandbox',
  ),
  channel: out.oneOf(channelNames, 'Channel of the connector.', 'sms'),
  state: out.oneOf(
    connectorStates,
    '`up`: accepts messages; `down`: does not answer or rejects us; `free`: no process holds it.',
    'up',
  ),
  rate: out.number('Messages accepted per second.', 812.5),
  taken: out.count('Messages accepted since its process started.', 120_000),
  in_flight: out.count('Submitted messages whose outcome is not stored yet.', 40),
  window: out.count('Maximum of `in_flight`.', 500),
  problem: problemAnswer
    .nullable()
    .describe('Reason why nothing can be submitted to it; null while it works.'),
  told_at: out.time('Time of the report'),
  trunk: trunkAnswer
    .nullable()
    .describe(
      'Settings of a trunk. For SIP trunks, `window` is the maximum of concurrent calls, `in_flight` their current number, `taken` the number of answered calls. For a provider with an HTTP interface they count requests, and calls that it accepted.',
    ),
});
const show = serializer(carrierAnswer);
const laneOf = (meaning: string) => out.text(meaning, 'bulk');
const ageNames = ageBounds.map((bound) => `under ${bound / 1_000} s`).join(', ');
const laneAnswer = z.object({
  lane: laneOf('Priority lane: `otp`, `single` or `bulk`, most urgent first.'),
  due: out.count('Due messages.', 1_500),
  taken: out.count('Due messages that a process has leased.', 500),
  by_age: answered(
    z.array(z.int()),
    `Due messages by waiting time: ${ageNames}, and longer.`,
    [1_000, 500, 0, 0, 0],
  ),
  oldest_seconds: out.number('Waiting time of the oldest due message in seconds.', 1.25),
  later: out.count('Scheduled messages.', 10_000),
  paused: out.count('Messages of paused campaigns.', 0),
  held: out.count('Held messages of suspended accounts.', 0),
});
const queuesAnswer = z.object({
  lanes: z.array(laneAnswer),
  accounts: z
    .array(
      z.object({
        account_id: out.text('Id of the account.', '1774337460000003'),
        username: out.text('User name of the account.', 'shop'),
        lane: laneOf('Priority lane.'),
        due: out.count('Due messages of the account.', 1_000),
        oldest_seconds: out.number('Waiting time of the oldest due message in seconds.', 1.25),
      }),
    )
    .describe(`Accounts with the most due messages, at most ${ACCOUNTS_SHOWN}.`),
});
const sandboxAnswer = z.object({
  receipt_delay_ms: out.count('Delivery time in milliseconds.', 300),
  messages_per_second: out.count(
    'Messages per second that the simulated SMS network accepts; 0 is no limit.',
    0,
  ),
  chat_messages_per_second: out.count(
    'Messages per second of a business number that the chat platform accepts; 0 is no limit.',
    0,
  ),
  now: out.time('Time in the sandbox'),
});
const showSettings = serializer(sandboxAnswer);
const setting = (max: number, description: string, example: number) =>
  field(whole(0, max).optional(), description, example);
const sandboxChanges = z.object({
  receipt_delay_ms: setting(3_600_000, 'Delivery time in milliseconds.', 300),
  messages_per_second: setting(
    1_000_000,
    'Messages per second that the simulated SMS network accepts; 0 is no limit.',
    100,
  ),
  chat_messages_per_second: setting(
    1_000_000,
    'Messages per second of a business number that the chat platform accepts; 0 is no limit.',
    80,
  ),
  advance_seconds: setting(YEAR, 'Seconds by which the clock is moved forward; it never goes back.', 3_600),
});

interface OperatorNetworkDeps extends Pick<CoreContext, 'sql' | 'clock' | 'accounts' | 'calls'> {
  /** The trunks for calls. */
  readonly trunks: () => readonly Trunk[];
  /** undefined: no sandbox is running. */
  readonly sandbox: SandboxControls | undefined;
}

const route = resource<OperatorNetworkDeps>('operator');

/** Current state of carriers, queues and the sandbox, for operators. */
export const operatorNetworkRoutes = [
  route('GET /v1/operator/carriers', {
    access: operatorReads,
    operationId: 'listCarriers',
    title: 'List carrier connections',
    description:
      'Returns the state of the connections as reported by the processes that hold them, a second or two late.',
    answer: z.object({
      carriers: z.array(carrierAnswer),
      calls_problem: out.maybeText(
        'Reason why calls cannot be made now: no trunk, or no speech engine for those over SIP. null if they can.',
        null,
      ),
    }),
    handler: async (_call, { sql, calls, trunks }) => ({
      carriers: (await listConnectorStates(sql)).map((connector) => showConnector(connector, trunks())),
      calls_problem: (await calls.problem()) ?? null,
    }),
  }),
  route('GET /v1/operator/queues', {
    access: operatorReads,
    operationId: 'showQueues',
    title: 'List queues',
    description: 'Returns the messages that wait to be submitted, counted in batches of up to 500.',
    answer: queuesAnswer,
    handler: async (_call, deps) => {
      const now = deps.clock.now();
      const [byLane, byAccount] = await Promise.all([
        queuesByLane(deps.sql, now),
        queuesByAccount(deps.sql, now, ACCOUNTS_SHOWN),
      ]);
      return {
        lanes: laneNames.map((name, lane) => {
          const queue = byLane.find((one) => one.lane === lane);
          return {
            lane: name,
            due: queue?.due ?? 0,
            taken: queue?.taken ?? 0,
            by_age: queue ? [...queue.byAge] : [...ageBounds, 0].map(() => 0),
            oldest_seconds: (queue?.oldestMs ?? 0) / 1_000,
            later: queue?.later ?? 0,
            paused: queue?.paused ?? 0,
            held: queue?.resting ?? 0,
          };
        }),
        accounts: await Promise.all(
          byAccount.map(async ({ accountId, lane, due, oldestMs }) => ({
            account_id: String(accountId),
            username: await usernameOf(deps, accountId),
            lane: laneNames[lane]!,
            due,
            oldest_seconds: oldestMs / 1_000,
          })),
        ),
      };
    },
  }),
  route('GET /v1/operator/sandbox', {
    access: operatorReads,
    operationId: 'showSandbox',
    title: 'Show the sandbox settings',
    description:
      'Returns the settings of the simulated networks. Returns `not-found` on an installation with carriers.',
    refusals: ['not-found'],
    answer: sandboxAnswer,
    handler: async (_call, { sandbox }) => showSandbox(sandbox),
  }),
  route('PATCH /v1/operator/sandbox', {
    access: dailyWork(operatorChanges),
    operationId: 'changeSandbox',
    title: 'Change the sandbox settings',
    description: 'Updates the given settings until the service restarts; the clock permanently.',
    refusals: ['not-found'],
    body: sandboxChanges,
    answer: sandboxAnswer,
    handler: async ({ body: given, audit }, { sandbox }) => {
      const before = await showSandbox(sandbox);
      await sandbox!.change({
        receiptDelayMs: given.receipt_delay_ms,
        messagesPerSecond: given.messages_per_second,
        chatMessagesPerSecond: given.chat_messages_per_second,
      });
      if (given.advance_seconds) await sandbox!.advance(given.advance_seconds * 1_000);
      const after = await showSandbox(sandbox);
      audit({ before, after });
      return after;
    },
  }),
];

const usernameOf = async ({ accounts }: OperatorNetworkDeps, id: number) =>
  (await accounts.byId(id))?.username ?? '';

function showConnector(connector: ConnectorState, trunks: readonly Trunk[]): z.output<typeof carrierAnswer> {
  const trunk = trunks.find(({ name }) => name === connector.name);
  return show({
    ...connector,
    problem: connector.problem && showProblem(connector.problem),
    channel: trunk ? 'voice' : channelOfConnector(connector.name),
    trunk: trunk ? showTrunk(trunk) : null,
  });
}

/** Throws Refusal `not-found` without a sandbox. */
async function showSandbox(sandbox: SandboxControls | undefined): Promise<z.output<typeof sandboxAnswer>> {
  if (!sandbox) throw new Refusal('not-found', 'there is no sandbox here');
  return showSettings(await sandbox.read());
}
