import { createHmac, randomBytes } from 'node:crypto';
import { CallbackPool } from './callback-pool.ts';

/* Callbacks of the floor of chat (children/chat-floor.ts). */

export interface Message {
  readonly id: number;
  readonly shipmentId: number;
  /** E.164 digits. */
  readonly source: string;
  readonly destination: string;
}

/** A message of a client. */
export interface ClientMessage {
  readonly id: number;
  /** The business number and the client, in E.164 digits. */
  readonly number: string;
  readonly client: string;
  readonly name: string;
  readonly text: string;
}

/** Callbacks as signed webhooks (Standard Webhooks). */
export class ChatCallbacks {
  readonly #pool: CallbackPool;
  readonly #key = randomBytes(32);

  constructor(port: number) {
    this.#pool = new CallbackPool(port);
  }

  status({ id, shipmentId, source, destination }: Message, status: string): void {
    const at = new Date().toISOString();
    const data = `{"message_id":"${id}","shipment_id":"${shipmentId}","from":"${source}","to":"${destination}","status":"${status}","reason":null,"date":"${at}"}`;
    this.#post(id, `{"type":"chat.status","timestamp":"${at}","data":${data}}`);
  }

  message({ id, number, client, name, text }: ClientMessage): void {
    const at = new Date().toISOString();
    const data = `{"message_id":"${id}","from":"${client}","to":"${number}","body":"${text}","reply_to":null,"user_id":null,"name":"${name}","content":null,"type":"text","about_id":null,"date":"${at}"}`;
    this.#post(id, `{"type":"chat.message","timestamp":"${at}","data":${data}}`);
  }

  #post(id: number, body: string): void {
    const key = `evt_${id}_0`;
    const seconds = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', this.#key).update(`${key}.${seconds}.${body}`).digest('base64');
    this.#pool.post({
      path: '/chat',
      headers: [
        ...['content-type', 'application/json', 'user-agent', 'Carillon', 'webhook-id', key],
        ...['webhook-timestamp', String(seconds), 'webhook-signature', `v1,${signature}`],
      ],
      body,
    });
  }
}
