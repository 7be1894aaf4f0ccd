import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AskedCallback } from '../../engine/callbacks/format.ts';
import type { ShipmentRequest } from '../../engine/messages/plan.ts';
import { type FoundMessage, searchMessages } from '../../engine/messages/search.ts';
import { Refusal } from '../../kit/errors.ts';
import { readPhone } from '../../kit/numbers/read-phone.ts';
import { status } from '../../kit/statuses.ts';
import type { CoreContext } from '../../run/services.ts';
import { idOfSid } from '../http-interfaces/ids.ts';
import {
  acceptWith,
  type InterfaceOptions,
  type SignedCall,
  type sendContextOf,
} from '../http-interfaces/interface-api.ts';
import { readShipment } from '../http-interfaces/shipment.ts';
import { AccountApi } from './api.ts';
import { type MessageInput, readList, readMessage } from './fields.ts';
import { pageFields, showMessage, VERSION } from './resource.ts';
import { askedCallback } from './status-callback.ts';

type TwilioServices = Pick<
  CoreContext,
  'acceptor' | 'accounts' | 'clock' | 'events' | 'hourlyStatistics' | 'numbers' | 'sql'
> &
  Parameters<typeof sendContextOf>[0];

interface TwilioOptions extends InterfaceOptions {
  readonly services: TwilioServices;
}

/** SMS. */
const TEXT = 0;

/** Twilio's Messages resource, a Fastify plugin (needs @fastify/rate-limit). */
export async function twilioApi(app: FastifyInstance, options: TwilioOptions): Promise<void> {
  new MessagesApi(app, options).routes(app);
}

class MessagesApi extends AccountApi {
  readonly #services: TwilioServices;

  constructor(app: FastifyInstance, options: TwilioOptions) {
    super(app, options, options.services);
    this.#services = options.services;
  }

  routes(app: FastifyInstance): void {
    this.frame(app);
    const messages = `/${VERSION}/Accounts/:account/Messages`;
    app.post(`${messages}.json`, { config: { operation: 'createMessage' } }, (request, reply) =>
      this.#create(request, reply),
    );
    app.get(`${messages}.json`, { config: { operation: 'listMessages' } }, (request, reply) =>
      this.#list(request, reply),
    );
    app.get(`${messages}/:message`, { config: { operation: 'fetchMessage' } }, (request, reply) =>
      this.#fetch(request, reply),
    );
  }

  async #create(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const call = this.callOf(request);
    const input = readMessage(request, this.#services.clock.now());
    const { shipment_id } = await this.once(request, reply, input, async (use) =>
      acceptWith(this.#services.acceptor, await this.#shipmentOf(input, call), use),
    );
    const query = { shipmentId: Number(shipment_id) };
    const { messages } = await searchMessages(this.#services, call.account.id, query, null, 1);
    const [shown] = await this.#shown(call.account.id, messages.map(asAccepted));
    return reply.code(201).send(shown);
  }

  #shipmentOf(input: MessageInput, call: SignedCall): Promise<ShipmentRequest> {
    const { from, body: text, to, dueAt, validityMs } = input;
    return readShipment(this.#services, call, { from, text, to: [to], dueAt, validityMs }, (source) =>
      this.#callbackOf(input, source, call),
    );
  }

  async #callbackOf(
    { statusCallback: url }: MessageInput,
    source: string,
    { account, token }: SignedCall,
  ): Promise<AskedCallback | undefined> {
    if (url === undefined) return undefined;
    // The program checks signatures by the token that it signs in with.
    return askedCallback(this.#services, account.id, { url, source, secret: token });
  }

  async #fetch(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { account } = this.callOf(request);
    const { message } = request.params as { message: string };
    const messageId = idOfSid('SM', message.replace(/\.json$/, ''));
    const query = { messageId: messageId ?? -1, channel: TEXT };
    const { messages } = await searchMessages(this.#services, account.id, query, null, 1);
    if (messages.length === 0) throw new Refusal('not-found', 'no such message');
    const [shown] = await this.#shown(account.id, messages);
    return reply.send(shown);
  }

  async #list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { account } = this.callOf(request);
    const input = readList(request);
    const { to, from, before, token, pageSize } = input;
    const phone = to && readPhone(to, 'phones', { services: this.#services }, true).digits;
    const query = { ...(phone && { phone }), channel: TEXT, from, to: before };
    const after = token === undefined ? null : Number(token);
    const found = await searchMessages(this.#services, account.id, query, after, pageSize);
    const messages = await this.#shown(account.id, found.messages);
    const next = found.next === null ? null : String(found.next);
    return reply.send({
      messages,
      ...pageFields(account.id, 'Messages', input, { count: messages.length, next }),
    });
  }

  /** Returns the resources of messages, with their texts. */
  async #shown(accountId: number, messages: readonly FoundMessage[]) {
    const { sql, clock, numbers } = this.#services;
    const ids = [...new Set(messages.map(({ shipment_id }) => shipment_id))];
    const rows = await sql<{ id: number; payload: string | null; due_at: number }[]>`
      SELECT id, payload, due_at FROM shipments WHERE account_id = ${accountId} AND id = ANY(${ids}::bigint[])`;
    const shipments = new Map(rows.map((row) => [row.id, row]));
    const now = clock.now();
    return messages.map((message) => {
      const shipment = shipments.get(message.shipment_id);
      const text = message.text_removed ? null : (message.payload ?? shipment?.payload ?? null);
      return showMessage(accountId, { message, text, dueAt: shipment?.due_at ?? 0, now }, numbers);
    });
  }
}

/** Returns a message as it was accepted: a fast carrier may have delivered it before the answer is written. */
const asAccepted = (message: FoundMessage): FoundMessage => ({
  ...message,
  status: status.sent,
  code: null,
  handed_at: null,
  final_at: null,
  read_at: null,
});
