import type { Carillon } from '../../../client/src/index.ts';
import { print } from '../with-app-context.ts';
import { connect, type RemoteOptions } from './connection.ts';

/** After this a message that has not ended is waited for no longer. */
const WAIT_MS = 120_000;

/** Options that sends have in common. */
export interface SendOptions extends RemoteOptions {
  readonly from: string;
  readonly to: string[];
  readonly wait?: boolean;
  /** Repeats a send with this key are done once. */
  readonly key?: string;
}

/** `send sms`: one text to some numbers. */
export async function sendSms(
  text: string,
  options: SendOptions & { readonly campaign?: string },
): Promise<void> {
  const client = connect(options);
  const { from: source, to: phones, campaign, key: sendKey, json } = options;
  const body = { source, phones, message: text, ...(campaign !== undefined && { campaign_name: campaign }) };
  const sent = await client.sms.send(body, { sendKey });
  print(json, sent, `sent: shipment ${sent.shipment_id}`);
  if (options.wait) await waitForEnd(client, sent.shipment_id, phones.length, json);
}

/** `send chat`: a template to each number. */
export async function sendChat(
  template: string,
  options: SendOptions & { readonly variables?: string[] },
): Promise<void> {
  const client = connect(options);
  const { from: source, to, variables = [], key, json } = options;
  const body = {
    source,
    template_id: template,
    variables: Object.fromEntries(variables.map((value, index) => [index + 1, value])),
  };
  for (const recipient of to) {
    const sent = await client.chat.sendTemplate(
      { ...body, to: recipient },
      { sendKey: keyOf(key, recipient) },
    );
    print(json, { to: recipient, ...sent }, `sent to ${recipient}: message ${sent.id}`);
  }
}

/** `send code`: a one-time code to each number. */
export async function sendCode(options: SendOptions & { readonly text?: string }): Promise<void> {
  const client = connect(options);
  const { from: source, to, text, key, json } = options;
  for (const phone of to) {
    const sent = await client.codes.send(
      { phone, source, ...(text !== undefined && { text }) },
      { sendKey: keyOf(key, phone) },
    );
    print(json, { phone, ...sent }, `a code was sent to ${phone}`);
  }
}

/** The key of the send to one of several recipients. */
const keyOf = (key: string | undefined, recipient: string): string | undefined =>
  key === undefined ? undefined : `${key} ${recipient}`;

/** Prints each state of the messages of a shipment, until all have ended. */
async function waitForEnd(
  client: Carillon,
  shipmentId: string,
  count: number,
  json: boolean | undefined,
): Promise<void> {
  const ended = new Set<string>();
  const signal = AbortSignal.timeout(WAIT_MS);
  for await (const event of client.live({ shipments: [shipmentId] }, { signal })) {
    if (event.type !== 'message') continue;
    const { id, phone, state, failure } = event.data;
    const why = failure === null ? '' : ` (${JSON.stringify(failure)})`;
    print(json, event.data, `${phone} ${state}${why}`);
    if (['delivered', 'read', 'failed', 'cancelled'].includes(state)) ended.add(id);
    if (ended.size >= count) return;
  }
}
