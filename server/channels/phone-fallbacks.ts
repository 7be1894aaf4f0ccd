import type { FallbackSender, FallbackShipment, FirstSend } from '../engine/fallback/sender.ts';
import { callChecks, callInput } from '../engine/messages/call-request.ts';
import { callTypes } from '../engine/messages/calls.ts';
import { lanes } from '../engine/messages/lanes.ts';
import type { ShipmentItem, ShipmentRequest } from '../engine/messages/plan.ts';
import { readMessage, readSource, readWords } from '../engine/messages/send-request.ts';
import { badField, Refusal } from '../kit/errors.ts';
import type { Voice } from '../kit/text/voices.ts';
import type { CoreContext } from '../run/services.ts';

/* SMS and calls in place of messages that failed on another channel, by the same acceptor as other SMS and calls. */

/** An SMS with one text. */
interface SmsFallback extends Pick<FirstSend, 'removal'> {
  readonly source: string;
  readonly text: string;
}

/** A call with one text. */
interface CallFallback {
  /** Sender of the send; calls show the number of the trunk. */
  readonly source: string;
  readonly text: string;
  readonly voice: Voice | undefined;
  readonly rate: number | undefined;
  readonly repeat: number | undefined;
}

type PhoneFallbackDeps = Pick<
  CoreContext,
  | 'acceptor'
  | 'calls'
  | 'contactLists'
  | 'links'
  | 'numbers'
  | 'phoneGate'
  | 'removalWord'
  | 'sources'
  | 'verifySources'
>;

/** Returns the text of a fallback: its own, or that of the send. Throws Refusal `bad-field` if neither is one for all. */
function textOf(text: string | undefined, { message, dynamic }: FirstSend): string {
  if (text === undefined && dynamic)
    throw badField('text', 'missing: the text of the send has fields of contacts', 'missing');
  return readMessage(text ?? message, 'text');
}

/** Runs checks of a send, and reports their fields by the names of a fallback. */
async function ofText<T>(check: () => T | Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof Refusal) || error.path === undefined) throw error;
    throw error.at(error.path === 'tts' ? 'channel' : 'text');
  }
}

const contextOf = (services: PhoneFallbackDeps, accountId: number) => {
  const account = { id: accountId, suspended: false };
  return { services, account, caller: account };
};

/** Accepts messages to the phones that the account may send to. Throws Refusal `all-blocked` if it may send to no phone. */
async function accept(
  { acceptor, phoneGate }: PhoneFallbackDeps,
  { accountId, fallbackOf, messages, isCampaign, campaignName, international, rule }: FallbackShipment,
  content: Pick<ShipmentRequest, 'source' | 'text' | 'call'> & Pick<ShipmentItem, 'template'>,
  within: NonNullable<ShipmentRequest['within']>,
): Promise<void> {
  await phoneGate.refresh([accountId]);
  const permitted = messages.filter(
    ({ phone }) => phoneGate.problemOf(accountId, phone, international) === undefined,
  );
  if (permitted.length === 0) throw new Refusal('all-blocked', 'no recipient is permitted');
  const { template, ...common } = content;
  const own = { source: null, text: null, ...(template && { template }) };
  await acceptor.accept({
    ...common,
    ...{ accountId, campaignName, international, rule, fallbackOf, within },
    lane: isCampaign ? lanes.bulk : lanes.single,
    items: permitted.map(({ phone, externalId }) => ({ phone, externalId, ...own })),
    dueAt: null,
    recentDays: null,
  });
}

/** Sends SMS in place of messages that failed on another channel. */
export function smsFallback(deps: PhoneFallbackDeps): FallbackSender<SmsFallback> {
  const wordsOf = ({ text: message, removal }: Pick<SmsFallback, 'text' | 'removal'>, accountId: number) =>
    readWords({ message, dynamic: false, removal }, contextOf(deps, accountId));
  return {
    async read({ source: given, text: asked }, send) {
      const { accountId, removal } = send;
      const source = await readSource(given ?? send.source, 'source', contextOf(deps, accountId));
      const text = textOf(asked, send);
      await ofText(() => wordsOf({ text, removal }, accountId));
      return { source, text, removal };
    },

    send(shipment, within) {
      const { accountId, content } = shipment;
      const { text, template } = wordsOf(content, accountId);
      const { source } = content;
      return accept(deps, shipment, { source, text, ...(template && { template }) }, within);
    },
  };
}

/** Calls in place of messages that failed on another channel. */
export function callFallback(deps: PhoneFallbackDeps): FallbackSender<CallFallback> {
  const fieldsOf = ({ voice, rate, repeat }: Pick<CallFallback, 'voice' | 'rate' | 'repeat'>) => ({
    ...{ type: callTypes.callOnly, voice, rate, repeat },
  });
  return {
    async read({ text: asked, voice, rate, repeat }, send) {
      const options = { voice: voice as Voice | undefined, rate, repeat };
      const text = textOf(asked, send);
      const checks = callChecks(fieldsOf(options), text, deps.calls);
      await ofText(() => checks.readCall());
      return { ...options, source: send.source, text };
    },

    send(shipment, within) {
      const { content } = shipment;
      const { source, text } = content;
      return accept(deps, shipment, { source, text, call: callInput(fieldsOf(content), text) }, within);
    },
  };
}
