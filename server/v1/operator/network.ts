import { z } from 'zod';
import type { SipTrunkSettings } from '../../carriers/sip/settings.ts';
import { channels } from '../../channels/index.ts';
import { faultReasons } from '../../connector-faults.ts';
import type { CoreContext } from '../../core.ts';
import type { ConnectorState } from '../../dispatch/connector-states.ts';
import { listConnectorStates } from '../../dispatch/connector-states.ts';
import { ageBounds, queuesByAccount, queuesByLane } from '../../dispatch/queues.ts';
import { Refusal } from '../../errors.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { answered } from '../../interfaces/openapi/shown.ts';
import { field, whole } from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import { laneNames } from '../../messages/lanes.ts';
import type { SandboxControls } from '../../sandbox-handle.ts';
import { type ChannelName, channelNames } from '../messages/fields.ts';

const ACCOUNTS_SHOWN = 50;
const YEAR = 366 * 86_400;

type Trunk = Pick<SipTrunkSettings, 'name' | 'callerId' | 'callsPerSecond' | 'prefixes'>;

/** What goes over a link that is no trunk: known by what its name begins with. */
function channelOfConnector(name: string): ChannelName {
  return channels.ofRoute(name).name;
}

const linkStates = ['up', 'down', 'free'] as const;
const trunkAnswer = z.object({
  caller_id: out.text('The number that its calls come from.', '97237000000'),
  calls_per_second: out.number('New calls that it may be given in a second; 0 is no limit.', 1),
  prefixes: out.texts(
    'What the numbers that it takes begin with, international digits; empty is every number.',
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
    'Its name; a business number of chat is `chat/` and the number, a relay of mails `mail/` and its own.',
    'sandbox',
  ),
  channel: out.oneOf(channelNames, 'Its channel.', 'sms'),
  state: out.oneOf(
    linkStates,
    '`up`: accepts messages; `down`: does not answer or rejects us; `free`: no process holds it.',
    'up',
  ),
  rate: out.number('Messages that it accepts in a second.', 812.5),
  taken: out.count('Messages that it accepted since its process started.', 120_000),
  in_flight: out.count('Submitted, and the outcome not stored yet.', 40),
  window: out.count('How many of those there may be.', 500),
  problem: problemAnswer.nullable().describe('Why nothing can be submitted to it; null while it works.'),
  told_at: out.time('When this was so'),
  trunk: trunkAnswer
    .nullable()
    .describe(
      'Of a trunk: how it is set up. `window` is how many calls it takes at once, `in_flight` how many there are, `taken` how many were answered.',
    ),
});
const show = serializer(carrierAnswer);
const laneOf = (meaning: string) => out.text(meaning, 'bulk');
const ageNames = ageBounds.map((bound) => `under ${bound / 1_000} s`).join(', ');
const laneAnswer = z.object({
  lane: laneOf('`otp`, `single` or `bulk`, the most urgent first.'),
  due: out.count('Messages that are to go out now.', 1_500),
  taken: out.count('Of them, those that a process has leased.', 500),
  by_age: answered(
    z.array(z.int()),
    `The due ones by how long they have been so: ${ageNames}, and longer.`,
    [1_000, 500, 0, 0, 0],
  ),
  oldest_seconds: out.number('How long the oldest of them has been due.', 1.25),
  later: out.count('Messages whose time is to come.', 10_000),
  paused: out.count('Messages of campaigns that are paused.', 0),
  held: out.count('Messages of suspended accounts, which are held.', 0),
});
const queuesAnswer = z.object({
  lanes: z.array(laneAnswer),
  accounts: z
    .array(
      z.object({
        account_id: out.text('Its id.', '1774337460000003'),
        username: out.text('Its user name.', 'shop'),
        lane: laneOf('The lane.'),
        due: out.count('Its messages that are to go out now.', 1_000),
        oldest_seconds: out.number('How long the oldest of them has been due.', 1.25),
      }),
    )
    .describe(`Those with the most messages that are due, at most ${ACCOUNTS_SHOWN}.`),
});
const sandboxAnswer = z.object({
  receipt_delay_ms: out.count('From a message to its delivery, in milliseconds.', 300),
  messages_per_second: out.count('What the simulated SMS network takes; 0 is no limit.', 0),
  chat_messages_per_second: out.count(
    'What the chat platform takes from a business number; 0 is no limit.',
    0,
  ),
  now: out.time('The time in the sandbox'),
});
const showSettings = serializer(sandboxAnswer);
const setting = (max: number, description: string, example: number) =>
  field(whole(0, max).optional(), description, example);
const sandboxChanges = z.object({
  receipt_delay_ms: setting(3_600_000, 'From a message to its delivery, in milliseconds.', 300),
  messages_per_second: setting(1_000_000, 'What the simulated SMS network takes; 0 is no limit.', 100),
  chat_messages_per_second: setting(
    1_000_000,
    'What the chat platform takes from a number; 0 is no limit.',
    80,
  ),
  advance_seconds: setting(YEAR, 'Moves the clock on by so many seconds; it never goes back.', 3_600),
});

interface OperatorNetworkDeps extends Pick<CoreContext, 'sql' | 'clock' | 'accounts' | 'calls'> {
  /** The links that calls go over. */
  readonly trunks: () => readonly Trunk[];
  /** undefined: there is no sandbox. */
  readonly sandbox: SandboxControls | undefined;
}

const route = resource<OperatorNetworkDeps>('operator');

/** Carriers, queues and the sandbox, as they are now. For operators. */
export const operatorNetworkRoutes = [
  route('GET /v1/operator/carriers', {
    operationId: 'listCarriers',
    title: 'List carrier connections',
    description: 'As reported by the processes that hold them, a second or two behind.',
    answer: z.object({
      carriers: z.array(carrierAnswer),
      calls_problem: out.maybeText(
        'Why no calls can be made now, in words: no trunk, or nothing that speaks.',
        null,
      ),
    }),
    handler: async (_call, { sql, calls, trunks }) => ({
      carriers: (await listConnectorStates(sql)).map((link) => showLink(link, trunks())),
      calls_problem: (await calls.problem()) ?? null,
    }),
  }),
  route('GET /v1/operator/queues', {
    operationId: 'showQueues',
    title: 'List queues',
    description: 'Messages that wait to be submitted, counted in batches of up to 500.',
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
    operationId: 'showSandbox',
    title: 'Show the sandbox settings',
    description: 'How the simulated networks behave. There is nothing here on an installation with carriers.',
    refusals: ['not-found'],
    answer: sandboxAnswer,
    handler: async (_call, { sandbox }) => showSandbox(sandbox),
  }),
  route('PATCH /v1/operator/sandbox', {
    operationId: 'changeSandbox',
    title: 'Change the sandbox settings',
    description: 'Until the service restarts; the clock permanently. Fields that are not given stay.',
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

function showLink(link: ConnectorState, trunks: readonly Trunk[]): z.output<typeof carrierAnswer> {
  const trunk = trunks.find(({ name }) => name === link.name);
  return show({
    ...link,
    problem: link.problem && showProblem(link.problem),
    channel: trunk ? 'voice' : channelOfConnector(link.name),
    trunk: trunk ? showTrunk(trunk) : null,
  });
}

/** Throws Refusal `not-found` where there is no sandbox. */
async function showSandbox(sandbox: SandboxControls | undefined): Promise<z.output<typeof sandboxAnswer>> {
  if (!sandbox) throw new Refusal('not-found', 'there is no sandbox here');
  return showSettings(await sandbox.read());
}
