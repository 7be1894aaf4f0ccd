import { z } from 'zod';
import type { Principal } from '../../api/access/decide.ts';
import { decide } from '../../api/access/decide.ts';
import { maySee } from '../../api/access/fields.ts';
import { reads, readsConversations } from '../../api/access/rules.ts';
import { because } from '../../api/schema-problems.ts';
import { principalOf } from '../../api/v1/caller.ts';
import { maskOf } from '../../api/v1/field-rights.ts';
import { openStream, RETRY_MS, sendStream } from '../../api/v1/kit/event-stream.ts';
import { yesNo } from '../../api/v1/kit/fields.ts';
import { resource } from '../../api/v1/kit/route.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import { displayNumber } from '../../kit/numbers/phone-numbers.ts';
import { conversationAnswer, showConversation } from '../../modules/conversations/v1/fields.ts';
import type { CoreContext } from '../../run/services.ts';
import { showShipment } from '../campaigns/v1/fields.ts';
import { showMessage } from '../messages/v1/fields.ts';
import type { LiveEvent, LiveHub } from './hub.ts';

const MAX_MESSAGES = 100;
const MAX_SHIPMENTS = 20;
const MAX_PHONES = 10;
/** Right to watch messages and campaigns. The route also accepts agents, who see only conversations. */
const watchesTraffic = reads('viewer', 'read');

const ids = (what: string, most: number) =>
  z
    .string()
    .regex(/^(\d{1,16}(,\d{1,16})*)?$/, 'must be ids with commas between them')
    .default('')
    .transform((text) => (text === '' ? [] : [...new Set(text.split(',').map(Number))]))
    .refine((list) => list.length <= most, because(`over ${most}`, 'too-many', { max: most }))
    .describe(`Ids of ${what} to watch, separated by commas; at most ${most}.`);

const query = z.object({
  messages: ids('messages', MAX_MESSAGES),
  shipments: ids('shipments and campaigns', MAX_SHIPMENTS),
  phones: z
    .string()
    .max(500)
    .default('')
    .describe(
      `Simulated phones of the sandbox, separated by commas; at most ${MAX_PHONES}. For the demo account, with the role \`sender\` or a token with the scope \`read\`.`,
    ),
  conversations: yesNo.describe('`true` watches all conversations of the account.'),
  conversation: z
    .string()
    .regex(/^\d{0,16}$/, 'must be the id of a conversation')
    .default('')
    .transform((text) => (text === '' ? null : Number(text)))
    .describe('Id of a conversation whose last 30 sent messages are watched.'),
  last_event_id: z
    .string()
    .regex(/^\d{0,16}$/, 'must be the id of an event')
    .default('')
    .describe('Same as the header `Last-Event-ID`, for clients that cannot set it.'),
});

const example = `retry: ${RETRY_MS}

id: 1774337461000
event: message
data: {"id":"1774337460000002","shipment_id":"1774337460000001","state":"submitted"}

: still here
`;

interface LiveDeps extends Pick<CoreContext, 'numbers'> {
  readonly hub: LiveHub;
}

const route = resource<LiveDeps>('reports');

/**
 * Server-sent events about changes. If a proxy or client cuts a stream, `Last-Event-ID` continues it without gaps;
 * events may repeat.
 */
export const liveRoutes = [
  route('GET /v1/live', {
    // An agent watches conversations alone.
    access: readsConversations,
    operationId: 'watchLive',
    title: 'Stream live updates',
    description:
      'Streams server-sent events: `message` (as in `/v1/messages`, without its text) when the state of a watched message, or of a message of a watched shipment of at most 50, changes; `shipment` (as in `/v1/shipments`) when its counts change; `phone` when a simulated phone receives a message; `conversation` (as in `/v1/conversations`) when a conversation changes. The stream starts with the current state of watched objects. It ends after ten minutes, and when the session or token ends: reconnect with `Last-Event-ID`. No event is lost on reconnecting, and some may be repeated.',
    query,
    answer: { events: example },
    handler: async ({ accountId, caller, query: given, isStillAllowed, request, reply }, deps) => {
      const phones = readPhones(deps, given.phones);
      if (phones.length > 0 && !maySee('simulated-phone', principalOf(caller))) {
        throw new Refusal('not-allowed', 'watching simulated phones is for the role sender', 'phones');
      }
      const traffic = (['messages', 'shipments'] as const).find((field) => given[field].length > 0);
      if (traffic !== undefined && !decide(watchesTraffic, principalOf(caller)).allowed) {
        throw new Refusal('not-allowed', `watching ${traffic} is for the role viewer`, traffic);
      }
      const watched = {
        accountId,
        messageIds: given.messages,
        shipmentIds: given.shipments,
        phones,
        conversations: given.conversations ?? false,
        conversationId: given.conversation,
      };
      const header = request.headers['last-event-id'];
      const last = /^\d{1,16}$/.exec(String(header ?? given.last_event_id))?.[0];
      const from = last === undefined ? undefined : Number(last);
      const principal = principalOf(caller);
      const stream = openStream(isStillAllowed);
      const close = deps.hub.open(
        watched,
        from,
        (event) => stream.write(encode(event, principal)),
        stream.end,
      );
      stream.body.once('close', close);
      return sendStream(reply, stream);
    },
  }),
];

function encode(event: LiveEvent, principal: Principal): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(dataOf(event, principal))}\n\n`;
}

/** Masks the texts of conversations for callers without the right to read them. */
const maskConversation = maskOf(conversationAnswer)!;

function dataOf(event: LiveEvent, principal: Principal): object {
  switch (event.type) {
    case 'message':
      return showMessage(event.message);
    case 'shipment':
      return showShipment(event.shipment, event.counted);
    case 'phone': {
      const { phone, kind, item } = event.arrival;
      return { phone: displayNumber(phone), kind, [kind]: item };
    }
    case 'conversation':
      return maskConversation(showConversation(event.conversation, event.now), principal) as object;
  }
}

function readPhones({ numbers }: LiveDeps, text: string): string[] {
  const given = text.split(',').filter((phone) => phone.trim() !== '');
  if (given.length > MAX_PHONES)
    throw badField('phones', `over ${MAX_PHONES}`, 'too-many', { max: MAX_PHONES });
  return given.map((phone) => {
    const digits = numbers.parse(phone)?.digits;
    if (digits === undefined) throw badField('phones', 'one is not a phone number', 'not-a-phone');
    return digits;
  });
}
