import type { SendKeys } from '../../../api/send-keys/send-keys.ts';
import type { Sql } from '../../../database/connection.ts';
import type { RoutedMessage } from '../../../engine/carriers/route-conditions.ts';
import type { Routing } from '../../../engine/carriers/routing.ts';
import { listConnectorStates } from '../../../engine/dispatch/connector-states.ts';
import type { Claim } from '../../../engine/gate/evidence.ts';
import type { Acceptor } from '../../../engine/messages/accept.ts';
import { lanes } from '../../../engine/messages/lanes.ts';
import { SecretText } from '../../../engine/messages/secret-text.ts';
import type { Context } from '../../../kit/context.ts';
import { Refusal } from '../../../kit/errors.ts';
import type { AskContact } from '../contacts.ts';
import { contactSms } from '../texts/contact-words.ts';
import { smsOf } from '../texts/texts.ts';
import type { Means, Outcome } from './means.ts';

interface SmsDeps extends Pick<Context, 'clock'> {
  readonly sql: Sql;
  readonly acceptor: Acceptor;
  readonly sendKeys: SendKeys;
  readonly routing: Routing;
  /** Sender of SMS that the service writes itself. */
  readonly source: string;
}

/**
 * Notifies by SMS, at the usual price. An SMS is not queued while its connector is down: the alert would arrive after the
 * problem is over.
 */
export const bySms =
  (deps: SmsDeps): Means =>
  async (notification) => {
    const { id, senderId: accountId, recipient: phone } = notification;
    const claim = { claims: 'alert', ownerId: notification.accountId, id } as const;
    return send(deps, {
      accountId,
      key: `alert ${id}`,
      content: id,
      phone,
      text: smsOf(notification),
      claim,
    });
  };

/** Asks the owner of a number whether they want alerts. The account pays for the SMS. */
export const askBySms =
  (deps: SmsDeps): AskContact =>
  async ({ accountId, id, askedAt, recipient: phone, language }, accountName, link) => {
    const text = SecretText.of(link, (value) => contactSms(language, accountName, value));
    const claim = { claims: 'contact', id } as const;
    return send(deps, { accountId, key: `alert contact ${id} ${askedAt}`, content: id, phone, text, claim });
  };

interface AlertSms {
  readonly accountId: number;
  /** Send key, equal for all attempts. */
  readonly key: string;
  readonly content: number;
  readonly phone: string;
  readonly text: string | SecretText;
  readonly claim: Claim;
}

async function send(
  { sql, clock, acceptor, sendKeys, routing, source }: SmsDeps,
  { accountId, key, content, phone, text, claim }: AlertSms,
): Promise<Outcome> {
  const at = clock.now();
  const routed = { accountId, source, destination: phone, kind: 'transactional', network: null, at } as const;
  if (!(await isUp(sql, routing, routed))) return { kind: 'later', problem: 'connector-down' };
  const use = await sendKeys.use({ accountId, key, operation: 'alert', content, isSealed: false });
  const accept = async () => {
    const sendKey = use.answering((shipmentId: number) => ({ shipmentId }));
    const shipmentId = await acceptor.accept({
      accountId,
      lane: lanes.single,
      campaignName: null,
      source,
      text: typeof text === 'string' ? text : null,
      items: [{ phone, externalId: null, source: null, text: typeof text === 'string' ? null : text }],
      dueAt: null,
      recentDays: null,
      rule: claim,
      international: true,
      sendKey,
    });
    return { shipmentId };
  };
  try {
    const { answer } = await sendKeys.perform(use, accept, { looksFirst: true });
    const [message] = await sql<{ id: number }[]>`
      SELECT first_id AS id FROM shipments WHERE account_id = ${accountId} AND id = ${answer.shipmentId}`;
    return { kind: 'sent', ...(message && { messageId: message.id }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'try-again') return { kind: 'later', problem: 'unreachable' };
    // The number is not a valid destination in any attempt.
    if (error.code === 'bad-destination') return { kind: 'failed', problem: 'refused' };
    return { kind: 'later', problem: error.code === 'no-credit' ? 'no-credit' : 'refused' };
  }
}

/** Returns whether a connector for an SMS is up. */
async function isUp(sql: Sql, routing: Routing, message: RoutedMessage): Promise<boolean> {
  const route = routing.routeOf(message);
  if (route === undefined) return false;
  const names = new Set(routing.sharesOf(route).flatMap((group) => group.map(({ connector }) => connector)));
  const states = await listConnectorStates(sql);
  return states.some(({ name, state }) => state === 'up' && names.has(name));
}
