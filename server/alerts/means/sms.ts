import type { Routing } from '../../carriers/routing.ts';
import type { Sql } from '../../database/connection.ts';
import { listConnectorStates } from '../../dispatch/connector-states.ts';
import { Refusal } from '../../errors.ts';
import type { Acceptor } from '../../messages/accept.ts';
import { lanes } from '../../messages/lanes.ts';
import type { SendKeys } from '../../send-keys/send-keys.ts';
import { exempt } from '../../sending-policy/policy.ts';
import { smsOf } from '../texts/texts.ts';
import type { Means } from './means.ts';

interface SmsDeps {
  readonly sql: Sql;
  readonly acceptor: Acceptor;
  readonly sendKeys: SendKeys;
  readonly routing: Routing;
  /** Sender of SMS that the service writes itself. */
  readonly source: string;
}

/**
 * Tells by SMS, which the account pays for as for any other. An SMS that would wait for a connector that is down is not
 * sent: an alert about it would come when it is over.
 */
export const bySms =
  ({ sql, acceptor, sendKeys, routing, source }: SmsDeps): Means =>
  async (notification) => {
    const { id, senderId: accountId, recipient: phone } = notification;
    if (!(await isUp(sql, routing, phone))) return { kind: 'later', problem: 'connector-down' };
    const request = { accountId, key: `alert ${id}`, operation: 'alert', content: id, isSealed: false };
    const use = await sendKeys.use(request);
    const send = async () => {
      const sendKey = use.answering((shipmentId: number) => ({ shipmentId }));
      const shipmentId = await acceptor.accept({
        accountId,
        lane: lanes.single,
        campaignName: null,
        source,
        text: smsOf(notification),
        items: [{ phone, externalId: null, source: null, text: null }],
        dueAt: null,
        recentDays: null,
        rule: exempt,
        sendKey,
      });
      return { shipmentId };
    };
    try {
      const { answer } = await sendKeys.perform(use, send, { looksFirst: true });
      const [message] = await sql<{ id: number }[]>`
        SELECT first_id AS id FROM shipments WHERE account_id = ${accountId} AND id = ${answer.shipmentId}`;
      return { kind: 'sent', ...(message && { messageId: message.id }) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'try-again') return { kind: 'later', problem: 'unreachable' };
      return { kind: 'later', problem: error.code === 'no-credit' ? 'no-credit' : 'refused' };
    }
  };

/** Whether a connector is up that an SMS to a number can go over. */
async function isUp(sql: Sql, routing: Routing, phone: string): Promise<boolean> {
  const route = routing.routeOf(phone);
  if (route === undefined) return false;
  const names = new Set(routing.sharesOf(route).flatMap((group) => group.map(({ link }) => link)));
  const states = await listConnectorStates(sql);
  return states.some(({ name, state }) => state === 'up' && names.has(name));
}
