import { z } from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
import type { SipTrunkSettings } from '../../carriers/sip/settings.ts';
import { channelOfRoute } from '../../channels/index.ts';
import type { VoiceRoom } from '../../channels/voice/room.ts';
import type { Clock } from '../../clock.ts';
import type { Sql } from '../../database/connection.ts';
import { listLinkStates } from '../../dispatch/link-states.ts';
import { ageBounds, queuesByAccount, queuesByLane } from '../../dispatch/queues.ts';
import type { Events } from '../../events/events.ts';
import { laneNames } from '../../messages/lanes.ts';
import { tlsReasons } from '../../tls-faults.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { addDetails } from './audited.ts';
import { passOver, takeBodies } from './bodies.ts';
import { pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { iso, isoTime } from './fields.ts';
import { withBody } from './json-body.ts';
import { type ChannelName, channelNames } from './message-fields.ts';
import { endpointFields, onEvents, showEndpoint } from './webhook-fields.ts';

const ACCOUNTS_SHOWN = 50;
const YEAR = 366 * 86_400;

/** How the simulated networks behave, and their clock. */
export interface SandboxSettings {
  /** From a message to its delivery, in milliseconds. */
  readonly receiptDelayMs: number;
  /** What the simulated SMS network takes in a second, and the chat platform from a number; 0 is no limit. */
  readonly messagesPerSecond: number;
  readonly chatMessagesPerSecond: number;
  /** Its time, milliseconds since the epoch. */
  readonly now: number;
}

/** The sandbox's settings while it runs; they are not kept over a restart, but for the clock. */
export interface SandboxControls {
  read(): SandboxSettings;
  change(
    changes: { readonly [K in Exclude<keyof SandboxSettings, 'now'>]?: SandboxSettings[K] | undefined },
  ): void;
  /** Moves the clock on. */
  advance(milliseconds: number): Promise<unknown>;
}

type Trunk = Pick<SipTrunkSettings, 'name' | 'callerId' | 'callsPerSecond' | 'prefixes'>;

/** What goes over a link: known by what its name begins with, and of calls by the names of the trunks. */
function channelOfLink(name: string, trunks: ReadonlyMap<string, Trunk>): ChannelName {
  if (trunks.has(name)) return 'voice';
  return channelOfRoute(name).name;
}

const linkStates = ['up', 'down', 'free'] as const;
const carrierAnswer = z.object({
  name: answered(
    z.string(),
    'Its name; a business number of chat is `chat/` and the number, a relay of mails `mail/` and its own.',
    'sandbox',
  ),
  channel: answered(z.enum(channelNames), 'What goes over it.', 'sms'),
  state: answered(
    z.enum(linkStates),
    '`up`: takes messages; `down`: it does not answer or refuses us; `free`: no process holds it.',
    'up',
  ),
  rate: answered(z.number(), 'Messages that it takes in a second.', 812.5),
  taken: answered(z.int(), 'Messages that it took since its process began.', 120_000),
  in_flight: answered(z.int(), 'Handed over, and the outcome not stored yet.', 40),
  window: answered(z.int(), 'How many of those there may be.', 500),
  problem: z
    .object({
      reason: answered(
        z.enum(tlsReasons),
        'What is wrong with its certificate, or that TLS is not offered (`not-offered`) or fails (`handshake`).',
        'expired',
      ),
      detail: answered(z.string(), 'What the error said.', 'CERT_HAS_EXPIRED: certificate has expired'),
    })
    .nullable()
    .describe('Why nothing can be handed over to it, where its TLS is the cause; else null.'),
  told_at: isoTime('When this was so'),
  trunk: z
    .object({
      caller_id: answered(z.string(), 'The number that its calls come from.', '97237000000'),
      calls_per_second: answered(z.number(), 'New calls that it may be given in a second; 0 is no limit.', 1),
      prefixes: answered(
        z.array(z.string()),
        'What the numbers that it takes begin with, international digits; empty is every number.',
        [''],
      ),
    })
    .nullable()
    .describe(
      'Of a trunk: how it is set up. `window` is how many calls it takes at once, `in_flight` how many there are, `taken` how many were answered.',
    ),
});
const laneOf = (meaning: string) => answered(z.string(), meaning, 'bulk');
const count = (meaning: string, example: number) => answered(z.int(), meaning, example);
const age = (meaning: string) => answered(z.number(), meaning, 1.25);
const ageNames = ageBounds.map((bound) => `under ${bound / 1_000} s`).join(', ');
const laneAnswer = z.object({
  lane: laneOf('`otp`, `single` or `bulk`, the most urgent first.'),
  due: count('Messages that are to go out now.', 1_500),
  taken: count('Of them, those that a process has taken to hand over.', 500),
  by_age: answered(
    z.array(z.int()),
    `The due ones by how long they have been so: ${ageNames}, and longer.`,
    [1_000, 500, 0, 0, 0],
  ),
  oldest_seconds: age('How long the oldest of them has been due.'),
  later: count('Messages whose time is to come.', 10_000),
  paused: count('Messages of campaigns that are paused.', 0),
});
const queuesAnswer = z.object({
  lanes: z.array(laneAnswer),
  accounts: z
    .array(
      z.object({
        account_id: answered(z.string(), 'Its id.', '1774337460000003'),
        username: answered(z.string(), 'Its user name.', 'shop'),
        lane: laneOf('The lane.'),
        due: count('Its messages that are to go out now.', 1_000),
        oldest_seconds: age('How long the oldest of them has been due.'),
      }),
    )
    .describe(`Those with the most messages that are due, at most ${ACCOUNTS_SHOWN}.`),
});
const offAnswer = z.object({
  account_id: answered(z.string(), 'Whose it is.', '1774337460000003'),
  username: answered(z.string(), 'The user name of that account.', 'shop'),
  ...endpointFields,
});
const sandboxAnswer = z.object({
  receipt_delay_ms: count('From a message to its delivery, in milliseconds.', 300),
  messages_per_second: count('What the simulated SMS network takes; 0 is no limit.', 0),
  chat_messages_per_second: count('What the chat platform takes from a business number; 0 is no limit.', 0),
  now: isoTime('The time in the sandbox'),
});
const whole = (most: number, description: string, example: number) =>
  z
    .int('must be a whole number')
    .min(0, 'must be 0 or more')
    .max(most, `must be ${most} or less`)
    .optional()
    .meta({ description, examples: [example] });
const sandboxChanges = z.object({
  receipt_delay_ms: whole(3_600_000, 'From a message to its delivery, in milliseconds.', 300),
  messages_per_second: whole(1_000_000, 'What the simulated SMS network takes; 0 is no limit.', 100),
  chat_messages_per_second: whole(
    1_000_000,
    'What the chat platform takes from a number; 0 is no limit.',
    80,
  ),
  advance_seconds: whole(YEAR, 'Moves the clock on by so many seconds; it never goes back.', 3_600),
});

export interface OperatorNetworkParts {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly events: Events;
  /** The links that calls go over. */
  readonly trunks: readonly Trunk[];
  /** Why no calls can be made now. */
  readonly voice: Pick<VoiceRoom, 'problem'>;
  /** undefined: there is no sandbox. */
  readonly sandbox: SandboxControls | undefined;
}

/**
 * What moves and what stands, under /v1, for operators, a part of the door:
 * - `GET /operator/carriers`: links to carriers with their state and rate
 * - `GET /operator/queues`: what waits, by lane and age, and of whom
 * - `GET /operator/webhooks`, `POST /operator/webhooks/:id/enable`: addresses of all accounts that are switched off
 * - `GET /operator/sandbox`, `PATCH /operator/sandbox`: the simulated networks and their clock, where there are any
 */
export function operatorNetworkPart(parts: OperatorNetworkParts): V1Part {
  const { sql, clock, accounts, events, voice, sandbox } = parts;
  const trunks = new Map(parts.trunks.map((trunk) => [trunk.name, trunk]));
  const usernameOf = async (id: number) => (await accounts.byId(id))?.username ?? '';

  return (app) => {
    app.get(
      '/operator/carriers',
      described({
        chapter: 'operator',
        id: 'listCarriers',
        title: 'Links to carriers',
        description: 'As the processes that hold them tell it, a second or two behind.',
        answer: z.object({
          carriers: z.array(carrierAnswer),
          calls_problem: answered(
            z.string().nullable(),
            'Why no calls can be made now, in words: no trunk, or nothing that speaks.',
            null,
          ),
        }),
      }),
      async () => ({
        carriers: (await listLinkStates(sql)).map((link) => ({
          name: link.name,
          channel: channelOfLink(link.name, trunks),
          state: link.state,
          rate: link.rate,
          taken: link.taken,
          in_flight: link.inFlight,
          window: link.window,
          problem: link.problem,
          told_at: iso(link.toldAt),
          trunk: showTrunk(trunks.get(link.name)),
        })),
        calls_problem: (await voice.problem()) ?? null,
      }),
    );

    app.get(
      '/operator/queues',
      described({
        chapter: 'operator',
        id: 'showQueues',
        title: 'Queues',
        description: 'Messages that wait to be handed over. They are counted in batches, up to 500 a batch.',
        answer: queuesAnswer,
      }),
      async () => {
        const now = clock.now();
        const [byLane, byAccount] = await Promise.all([
          queuesByLane(sql, now),
          queuesByAccount(sql, now, ACCOUNTS_SHOWN),
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
            };
          }),
          accounts: await Promise.all(
            byAccount.map(async ({ accountId, lane, due, oldestMs }) => ({
              account_id: String(accountId),
              username: await usernameOf(accountId),
              lane: laneNames[lane]!,
              due,
              oldest_seconds: oldestMs / 1_000,
            })),
          ),
        };
      },
    );

    app.get(
      '/operator/webhooks',
      described({
        chapter: 'operator',
        id: 'listSwitchedOffWebhooks',
        title: 'Addresses that are switched off',
        description: 'Of all accounts, those that were switched off last first.',
        answer: z.object({ webhooks: z.array(offAnswer) }),
      }),
      async () => ({
        webhooks: await Promise.all(
          (await events.switchedOff()).map(async (endpoint) => ({
            account_id: String(endpoint.account_id),
            username: await usernameOf(endpoint.account_id),
            ...showEndpoint(endpoint),
          })),
        ),
      }),
    );

    app.get(
      '/operator/sandbox',
      described({
        chapter: 'operator',
        id: 'showSandbox',
        title: 'The sandbox',
        description:
          'How the simulated networks behave. There is nothing here on an installation with carriers.',
        answer: sandboxAnswer,
        refusals: ['not-found'],
      }),
      async () => showSandbox(sandbox),
    );

    app.patch(
      '/operator/sandbox',
      withBody(
        described({
          chapter: 'operator',
          id: 'changeSandbox',
          title: 'Change the sandbox',
          description:
            'From now until the service starts again; the clock for good. What is not given stays.',
          answer: sandboxAnswer,
          refusals: ['not-found'],
        }),
        sandboxChanges,
      ),
      async (request) => {
        const before = showSandbox(sandbox);
        const given = read(sandboxChanges, request.body);
        sandbox!.change({
          receiptDelayMs: given.receipt_delay_ms,
          messagesPerSecond: given.messages_per_second,
          chatMessagesPerSecond: given.chat_messages_per_second,
        });
        if (given.advance_seconds) await sandbox!.advance(given.advance_seconds * 1_000);
        const after = showSandbox(sandbox);
        addDetails(request, { before, after });
        return after;
      },
    );

    app.register(async (bodiless) => {
      takeBodies(bodiless, passOver);
      bodiless.post<{ Params: { id: string } }>(
        '/operator/webhooks/:id/enable',
        described({
          chapter: 'operator',
          id: 'enableSwitchedOffWebhook',
          title: 'Switch an address of an account on again',
          description: 'With a clean record. What was given up meanwhile can be sent again.',
          pathId: 'The id of the address.',
          answer: offAnswer,
          refusals: ['not-found'],
        }),
        async (request) => {
          const id = pathId(request.params.id, 'address');
          const found = (await events.switchedOff()).find((endpoint) => endpoint.id === id);
          if (!found) throw new NotFound('no such address that is switched off');
          const enabled = await onEvents(() => events.enableEndpoint(found.account_id, id));
          return {
            account_id: String(found.account_id),
            username: await usernameOf(found.account_id),
            ...showEndpoint(enabled),
          };
        },
      );
    });
  };
}

function showTrunk(trunk: Trunk | undefined): z.output<typeof carrierAnswer>['trunk'] {
  if (!trunk) return null;
  const { callerId, callsPerSecond, prefixes } = trunk;
  return { caller_id: callerId, calls_per_second: callsPerSecond, prefixes };
}

/** Throws NotFound where there is no sandbox. */
function showSandbox(sandbox: SandboxControls | undefined): z.output<typeof sandboxAnswer> {
  if (!sandbox) throw new NotFound('there is no sandbox here');
  const { receiptDelayMs, messagesPerSecond, chatMessagesPerSecond, now } = sandbox.read();
  return {
    receipt_delay_ms: receiptDelayMs,
    messages_per_second: messagesPerSecond,
    chat_messages_per_second: chatMessagesPerSecond,
    now: iso(now),
  };
}
