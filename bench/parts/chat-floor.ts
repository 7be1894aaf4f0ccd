import { setTimeout as pause } from 'node:timers/promises';
import { encodeMessage } from '../../server/protocols/chat-platform/messages.ts';
import type { LoadResult, Plan } from '../children/load.ts';
import { type ChatKind, type Compared, told } from '../support/compared.ts';
import type { ComparedServicesOptions } from '../support/compared-services.ts';
import { allCalledBack, type Field, flow, quiet, seen } from '../support/field.ts';
import { bodyOf } from '../support/http-message.ts';
import { cpuOf } from '../support/proc.ts';
import { ENDPOINT_SEEN_MS, startCarillon } from '../systems/carillon.ts';
import { type ChatFloor, startChatFloor, startPlatform, subscribe } from '../systems/chat-floor.ts';
import { type ChatSends, type LoadTarget, phoneOf } from '../systems/requests.ts';
import type { System } from '../systems/system.ts';
import { access, addNumber, fetchTemplate } from './chat.ts';

const CONNECTIONS = 50;
/** Clients who write. */
const CLIENTS = 3_000;
const KINDS: readonly ChatKind[] = ['chat', 'chat-incoming'];
/** Callbacks of a message: `sent` and `delivered`; of a message of a client, one. */
const CALLBACKS: Readonly<Record<ChatKind, number>> = { chat: 2, 'chat-incoming': 1 };

type ChatSystem = System & { readonly target: ChatSends };

/**
 * Measures the least work that a chat message can cost in Node.js (children/chat-floor.ts), in turns with Carillon:
 * templates to clients, and messages of clients. Throws when the two do not write the same to the platform, to the client
 * and to the receiver.
 */
export async function chatFloor({
  field,
  folder,
  rounds,
  messages,
  profile,
  progress,
}: ComparedServicesOptions): Promise<readonly Compared<ChatKind>[]> {
  const carillon = await startChatCarillon(field, folder, profile);
  const floor = await startChatFloor({ folder, callbackPort: field.callbackPort }, access);
  const systems: readonly ChatSystem[] = [floor, carillon];
  await checkSame(field, carillon, floor);
  progress('warming up');
  for (const kind of KINDS) for (const system of systems) await send(field, system, kind, messages / 4);
  const rows = KINDS.flatMap((kind) =>
    systems.map(
      (system): Compared<ChatKind> => ({ kind, label: system.name, isBase: system === floor, flows: [] }),
    ),
  );
  for (let round = 1; round <= rounds; round++) {
    for (const row of rows) {
      const system = systems.find(({ name }) => name === row.label)!;
      await quiet(field, systems);
      row.flows.push(await send(field, system, row.kind, messages));
      progress(`round ${round}, ${told(row)}`);
    }
  }
  await checkStored(floor);
  await carillon.stop();
  await floor.stop();
  return rows;
}

async function startChatCarillon(
  field: Field,
  folder: string,
  profile: string | undefined,
): Promise<ChatSystem> {
  const platform = await startPlatform(access);
  const carillon = await startCarillon({
    smscPort: field.smscPort,
    callbackPort: field.callbackPort,
    folder,
    profile,
    settings: {
      CHAT_PLATFORM_URL: `http://127.0.0.1:${platform.port}`,
      CHAT_APP_SECRET: access.appSecret,
      CHAT_VERIFY_TOKEN: access.verifyToken,
      CHAT_CLIENT_PAUSE_MS: '0',
    },
  });
  const target = carillon.target as LoadTarget & { kind: 'carillon' };
  await subscribe(platform, target.port, access);
  await addNumber(carillon, target);
  const url = `http://127.0.0.1:${field.callbackPort}/chat`;
  const events = 'chat.status,chat.message';
  await carillon.command('webhook', 'add', target.username, url, '--events', events);
  await pause(ENDPOINT_SEEN_MS);
  const template = await fetchTemplate(target);
  const { port, token } = target;
  return {
    ...carillon,
    target: { kind: 'chat', port, token, source: access.number, template },
    cpu: () => ({ ...carillon.cpu(), platform: cpuOf(platform.child.pid) }),
  };
}

let first = 0;

/** Returns the plan of consecutive messages, and the system that gets them. */
function trafficOf(system: ChatSystem, kind: ChatKind, requests: number): [System, Omit<Plan, 'target'>] {
  const plan = { connections: CONNECTIONS, requests, size: 1, first };
  first += requests;
  const { port } = system.target;
  const webhooks: LoadTarget = {
    ...{ kind: 'chat-webhooks', port, clients: CLIENTS },
    ...{ appSecret: access.appSecret, numbers: [access] },
  };
  return [kind === 'chat' ? system : { ...system, target: webhooks }, plan];
}

function send(field: Field, system: ChatSystem, kind: ChatKind, count: number) {
  return flow(field, ...trafficOf(system, kind, Math.ceil(count)), CALLBACKS[kind]);
}

/** Throws when an answer, a request to the platform or a callback of the floor differs from Carillon's in more than digits. */
async function checkSame(field: Field, carillon: ChatSystem, floor: ChatFloor): Promise<void> {
  const client = `972${phoneOf(1).slice(1)}`;
  const ours = await writtenBy(field, carillon);
  const floors = await writtenBy(field, floor);
  ours.request = encodeMessage(
    {
      ...{ kind: 'template', to: client, reference: '1.1', name: 'plain', language: 'en' },
      values: { header: null, body: [], buttons: [], offerEndsAt: null },
    },
    '',
  );
  floors.request = await floor.submitOf(client);
  const different = Object.keys(ours).filter(
    (name) => withoutDigits(ours[name]!) !== withoutDigits(floors[name]!),
  );
  if (different.length === 0) return;
  throw new Error(
    `the floor writes another ${different.join(' and ')}: ${JSON.stringify({ ours, floors }, null, 2)}`,
  );
}

/** Returns the answers and first callbacks of a system to one request of each kind. */
async function writtenBy(field: Field, system: ChatSystem): Promise<Record<string, string>> {
  const written: Record<string, string> = {};
  for (const kind of KINDS) {
    const [one, plan] = trafficOf(system, kind, 1);
    const { count } = await seen(field);
    await field.receiver.ask('keepNext');
    const { answer } = await field.load.ask<LoadResult>('run', {
      ...plan,
      target: one.target,
    } satisfies Plan);
    await allCalledBack(field, system.name, count + CALLBACKS[kind]);
    written[`answer to ${kind}`] = bodyOf(answer);
    written[`callback of ${kind}`] = bodyOf(await field.receiver.ask<string>('kept'));
  }
  return written;
}

const withoutDigits = (text: string) => text.replaceAll(/\d+/g, '0');

/** Throws when the floor lost a message, or did not book it. */
async function checkStored(floor: ChatFloor): Promise<void> {
  const stored = await floor.stored();
  const { messages, delivered, shipments, ledger, paid, incoming, unread } = stored;
  if (delivered !== messages || ledger !== shipments || paid !== 1e9 || incoming !== unread) {
    throw new Error(`the floor lost messages: ${JSON.stringify(stored)}`);
  }
}
