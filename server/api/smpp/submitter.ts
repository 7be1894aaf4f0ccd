import type { TransactionSql } from '../../database/connection.ts';
import { rowsBeside } from '../../database/rows-beside.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { CarrierOptions } from '../../engine/carriers/carrier.ts';
import type { Acceptor } from '../../engine/messages/accept.ts';
import { lanes } from '../../engine/messages/lanes.ts';
import type { ShipmentItem, ShipmentRequest } from '../../engine/messages/plan.ts';
import {
  checkMaySend,
  readDestinations,
  readMessage,
  readSource,
  type SendContext,
} from '../../engine/messages/send-request.ts';
import type { Clock } from '../../kit/clock.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import { findTlv } from '../../protocols/smpp/codec.ts';
import { command } from '../../protocols/smpp/commands.ts';
import { errorCode } from '../../protocols/smpp/errors.ts';
import type {
  DataPdu,
  MessagePdu,
  MultiDestination,
  SubmitMultiPdu,
  SubmitMultiRespPdu,
} from '../../protocols/smpp/pdu.ts';
import { readSmppTime } from '../../protocols/smpp/times.ts';
import { SEND_KEY_MAX_LENGTH } from '../send-keys/key.ts';
import type { SendKeys, SendKeyUse } from '../send-keys/send-keys.ts';
import type { SmppClient } from './clients.ts';
import { joinedText, readContent, readOptions, type SubmittedPart } from './content.ts';
import { asksReceipt } from './messages.ts';
import { openMessages, type SubmittedMessage } from './open-messages.ts';
import type { PartGroup, SmppParts } from './parts.ts';
import { SmppRefusal, statusOf } from './refusals.ts';

interface SubmitterDeps {
  readonly services: SendContext['services'];
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly acceptor: Pick<Acceptor, 'accept'>;
  readonly sendKeys: SendKeys;
  readonly clock: Clock;
  readonly log: Logger;
  readonly parts: SmppParts;
  /** Tag of the parameter with a send key; undefined: no such parameter. */
  readonly sendKeyTag: number | undefined;
}

/** Answer to a submitted message. */
interface Submitted {
  /** command_status. */
  readonly status: number;
  /** Id of the message or part; '' for a refusal. */
  readonly messageId: string;
}

type RefusedDestination = SubmitMultiRespPdu['refused'][number];
type MultiAddress = Exclude<MultiDestination, { readonly list: string }>;

/** Answer to a message to several recipients. */
interface SubmittedMulti extends Submitted {
  readonly refused: readonly RefusedDestination[];
}

/** Addresses and times of a message, checked. */
interface Terms {
  readonly source: string;
  readonly items: ShipmentRequest['items'];
  readonly dueAt: number | null;
  readonly validityMs: number | undefined;
  readonly carrierOptions: CarrierOptions | undefined;
}

/** Settings and account of a message that was joined from parts. */
type Joined = Pick<SmppClient, 'accountId' | 'international'>;

/** A message that another one replaces. */
export interface Replaced {
  /** Its id, which the new message keeps. */
  readonly id: number;
  /** Its options for the network, for a new message without any. */
  readonly options: CarrierOptions | undefined;
  /** Takes it back in the transaction that stores the new message. Throws SmppRefusal. */
  within(tx: TransactionSql, shipmentId: number): Promise<void>;
}

/** A submitted message before it has an id. */
type Submission = Omit<SubmittedMessage, 'id' | 'shipmentId'>;

/** Operation of the fingerprints of send keys. */
const SUBMIT = 'smpp submit';
const JOIN = 'smpp join';

/** Accepts messages of SMPP clients, with the checks and the acceptor of every API that sends. */
export class Submitter {
  readonly #deps: SubmitterDeps;

  constructor(deps: SubmitterDeps) {
    this.#deps = deps;
  }

  /** Accepts a message or part. Resolves after the commit, with the answer. Never rejects. */
  async submit(client: SmppClient, pdu: MessagePdu | DataPdu): Promise<Submitted> {
    try {
      const id = await this.#accept(client, pdu);
      return { status: 0, messageId: String(id) };
    } catch (error) {
      return { status: this.#statusOf(error, client), messageId: '' };
    }
  }

  /**
   * Accepts a message to several recipients: one shipment, whose id the client gets. Refuses single recipients with their
   * command_status. Never rejects.
   */
  async submitMulti(client: SmppClient, pdu: SubmitMultiPdu): Promise<SubmittedMulti> {
    try {
      return await this.#acceptMulti(client, pdu);
    } catch (error) {
      return { status: this.#statusOf(error, client), messageId: '', refused: [] };
    }
  }

  /** Accepts a message in the place of one that waits. Returns the command_status of the answer. Never rejects. */
  async replace(client: SmppClient, pdu: MessagePdu, replaced: Replaced): Promise<number> {
    try {
      await this.#accept(client, pdu, replaced);
      return 0;
    } catch (error) {
      return this.#statusOf(error, client);
    }
  }

  /** Accepts messages whose parts are complete and that a process has left, and abandons incomplete ones. */
  async expireParts(): Promise<void> {
    const { parts, accounts } = this.#deps;
    for (const { group, parts: all, options: carrierOptions } of await parts.expire()) {
      const account = await accounts.byId(group.accountId);
      // The recipient was checked with each part.
      const client = { accountId: group.accountId, international: true };
      try {
        if (!account) throw new SmppRefusal(errorCode.ESME_RSUBMITFAIL, 'the account was removed');
        await this.#acceptJoined(client, group, joinedText(all), {
          ...{ dueAt: null, validityMs: undefined, carrierOptions },
        });
      } catch (error) {
        if (isDatabaseTrouble(error) || (error instanceof Refusal && error.code === 'try-again')) throw error;
        await parts.refused(group, undefined);
      }
    }
  }

  async #accept(client: SmppClient, pdu: MessagePdu | DataPdu, replaced?: Replaced): Promise<number> {
    const content = readContent(pdu, client.defaultAlphabet);
    const terms = {
      ...(await this.#readTerms(client, pdu)),
      items: await this.#itemsOf(client, pdu.destination),
    };
    if (content.kind === 'part' && replaced)
      throw new SmppRefusal(errorCode.ESME_RREPLACEFAIL, 'a part cannot replace a message');
    if (content.kind === 'part') return this.#acceptPart(client, pdu, terms, content.part);
    const text = readMessage(content.text, 'message');
    const submitted = this.#submittedOf(client, pdu, terms.source, terms.items[0]!.phone);
    const carrierOptions = terms.carrierOptions ?? replaced?.options;
    const request = {
      ...this.#requestOf(client, text, { ...terms, carrierOptions }),
      ...withReceipts([submitted], replaced?.id),
      ...(replaced && { within: replaced.within }),
    };
    return this.#once(client, pdu, terms, text, (sendKey) =>
      this.#deps.acceptor.accept(sendKey ? { ...request, sendKey: sendKey.answering(answerOf) } : request),
    );
  }

  async #acceptMulti(client: SmppClient, pdu: SubmitMultiPdu): Promise<SubmittedMulti> {
    if (pdu.destinations.length === 0) throw new SmppRefusal(errorCode.ESME_RINVNUMDESTS, 'no destination');
    const to = { destinationTon: 0, destinationNpi: 0, destination: '' };
    const message: MessagePdu = { ...pdu, command: command.submitSm, ...to };
    const content = readContent(message, client.defaultAlphabet);
    if (content.kind === 'part')
      throw new SmppRefusal(errorCode.ESME_RINVESMCLASS, 'a part to several recipients');
    const text = readMessage(content.text, 'message');
    const terms = await this.#readTerms(client, message);
    const { accepted, refused } = await this.#readDestinations(client, pdu.destinations);
    if (accepted.size === 0) return { status: refused[0]!.error, messageId: '', refused: [] };
    const items = [...accepted.keys()].map((phone) => ({
      phone,
      externalId: null,
      source: null,
      text: null,
    }));
    const submitted = Array.from(accepted, ([phone, { ton, npi, address }]) => {
      const own = { ...message, destinationTon: ton, destinationNpi: npi, destination: address };
      return this.#submittedOf(client, own, terms.source, phone);
    });
    const request = this.#requestOf(client, text, { ...terms, items });
    const shipmentId = await this.#deps.acceptor.accept({ ...request, ...withReceipts(submitted) });
    return { status: 0, messageId: String(shipmentId), refused };
  }

  /** Reads the destinations of submit_multi, each number once. Throws SmppRefusal for a distribution list. */
  async #readDestinations(client: SmppClient, destinations: readonly MultiDestination[]) {
    const accepted = new Map<string, MultiAddress>();
    const refused: RefusedDestination[] = [];
    for (const to of destinations) {
      if ('list' in to) throw new SmppRefusal(errorCode.ESME_RINVDLNAME, 'no distribution lists');
      try {
        const [item] = await this.#itemsOf(client, to.address);
        if (!accepted.has(item!.phone)) accepted.set(item!.phone, to);
      } catch (error) {
        const status = statusOf(error);
        if (status === undefined) throw error;
        refused.push({ ...to, error: status });
      }
    }
    return { accepted, refused };
  }

  /** Stores a part, and accepts the message with the last one. */
  async #acceptPart(
    client: SmppClient,
    pdu: MessagePdu | DataPdu,
    terms: Terms,
    part: SubmittedPart,
  ): Promise<number> {
    const { parts } = this.#deps;
    const { id, complete } = await parts.add(
      terms.source,
      this.#submittedOf(client, pdu, terms.source, terms.items[0]!.phone),
      part,
      terms.carrierOptions,
    );
    if (!complete) return id;
    try {
      const text = readMessage(joinedText(complete.parts), 'message');
      await this.#acceptJoined(client, complete.group, text, { ...terms, carrierOptions: complete.options });
    } catch (error) {
      if (statusOf(error) !== undefined && !isTemporary(error)) await parts.refused(complete.group, id);
      throw error;
    }
    return id;
  }

  /** Accepts a message once, also when it is tried again after a crash. */
  async #acceptJoined(
    client: Joined,
    group: PartGroup,
    text: string,
    terms: Omit<Terms, 'source' | 'items'>,
  ): Promise<void> {
    const { acceptor, sendKeys, parts } = this.#deps;
    const items = [{ phone: group.phone, externalId: null, source: null, text: null }];
    const request = this.#requestOf(client, text, { ...terms, source: group.source, items });
    const { accountId, id } = group;
    const content = { id };
    const use = await sendKeys.use({
      accountId,
      key: `smpp-parts ${id}`,
      operation: JOIN,
      content,
      isSealed: false,
    });
    const { answer } = await sendKeys.perform(use, async () =>
      answerOf(await acceptor.accept({ ...request, sendKey: use.answering(answerOf) })),
    );
    await parts.accepted(group, answer.shipment_id);
  }

  /** Runs `accept` once for the send key of a message; returns the id of the shipment. */
  async #once(
    client: SmppClient,
    pdu: MessagePdu | DataPdu,
    { source, items, dueAt, carrierOptions }: Terms,
    text: string,
    accept: (use: SendKeyUse | undefined) => Promise<number>,
  ): Promise<number> {
    const { sendKeys, sendKeyTag } = this.#deps;
    const value = sendKeyTag === undefined ? undefined : findTlv(pdu.tlvs, sendKeyTag);
    if (value === undefined) return accept(undefined);
    const key = Buffer.from(value).toString('latin1').replace(/\0$/, '');
    if (key.length > SEND_KEY_MAX_LENGTH || !/^[\x20-\x7e]+$/.test(key))
      throw new SmppRefusal(errorCode.ESME_RINVOPTPARAMVAL, 'a send key that is not printable ASCII');
    const { accountId } = client;
    const content = {
      source,
      phone: items[0]!.phone,
      text,
      dueAt,
      ...(carrierOptions && { carrierOptions }),
    };
    const use = await sendKeys.use({ accountId, key, operation: SUBMIT, content, isSealed: false });
    const { answer } = await sendKeys.perform(use, async () => answerOf(await accept(use)));
    return answer.shipment_id;
  }

  /** Reads everything but the recipients. */
  async #readTerms(client: SmppClient, pdu: MessagePdu | DataPdu): Promise<Omit<Terms, 'items'>> {
    const { services, accounts, clock, sendKeyTag } = this.#deps;
    const account = await accounts.byId(client.accountId);
    if (!account) throw new SmppRefusal(errorCode.ESME_RSUBMITFAIL, 'the account was removed');
    checkMaySend({ account, caller: account });
    const given = pdu.source === '' ? client.defaultSource : pdu.source;
    if (given === null) throw new SmppRefusal(errorCode.ESME_RINVSRCADR, 'no sender');
    const source = await readSource(given, 'source', { services, account });
    if (client.sources.length > 0 && !client.sources.some((one) => isSameSource(one, source, services)))
      throw new SmppRefusal(errorCode.ESME_RINVSRCADR, 'not a sender of the client');
    return {
      source,
      ...readTimes(pdu, clock.now()),
      carrierOptions: readOptions(pdu, sendKeyTag),
    };
  }

  #itemsOf({ international }: SmppClient, destination: string): Promise<ShipmentItem[]> {
    const phones = [{ text: destination, id: undefined }];
    return readDestinations(phones, this.#deps, international, { source: null, text: null }, []);
  }

  #requestOf(
    { accountId, international }: Joined,
    text: string,
    { source, items, dueAt, validityMs, carrierOptions }: Terms,
  ): ShipmentRequest {
    return {
      accountId,
      lane: items.length === 1 ? lanes.single : lanes.bulk,
      campaignName: null,
      source,
      text,
      items,
      dueAt,
      international,
      recentDays: null,
      ...(validityMs !== undefined && { validityMs }),
      ...(carrierOptions && { carrierOptions }),
    };
  }

  #submittedOf(
    { accountId, id: clientId }: SmppClient,
    pdu: MessagePdu | DataPdu,
    source: string,
    phone: string,
  ): Submission {
    const { sourceTon, sourceNpi, destination, destinationTon, destinationNpi, registeredDelivery } = pdu;
    return {
      ...{ accountId, clientId, phone, registeredDelivery },
      source: pdu.source === '' ? source : pdu.source,
      ...{ sourceTon, sourceNpi, destination, destinationTon, destinationNpi },
      submittedAt: this.#deps.clock.now(),
    };
  }

  #statusOf(error: unknown, { systemId }: SmppClient): number {
    const status = statusOf(error);
    if (status !== undefined) return status;
    if (isDatabaseTrouble(error)) return errorCode.ESME_RMSGQFUL;
    this.#deps.log.error(
      { err: error, systemId },
      'message of an SMPP client not processed: error of the service',
    );
    return errorCode.ESME_RSYSERR;
  }
}

/**
 * Returns the rows for the receipts that clients want, to store with the shipment.
 *
 * @param id id of the message for its client; that of the shipment by default
 */
function withReceipts(submissions: readonly Submission[], id?: number): Pick<ShipmentRequest, 'beside'> {
  const wanted = submissions.filter(({ registeredDelivery }) => asksReceipt(registeredDelivery));
  if (wanted.length === 0) return {};
  const rowsOf = ({ id: shipmentId }: { readonly id: number }) =>
    wanted.map((one) => ({ ...one, id: id ?? shipmentId, shipmentId }));
  return { beside: [rowsBeside(openMessages, rowsOf)] };
}

const answerOf = (shipmentId: number) => ({ shipment_id: shipmentId });

const isTemporary = (error: unknown) =>
  error instanceof Refusal && (error.code === 'try-again' || error.code === 'key-in-progress');

/** Reads schedule_delivery_time and validity_period. A time of delivery in the past means now. */
function readTimes(pdu: MessagePdu | DataPdu, now: number): Pick<Terms, 'dueAt' | 'validityMs'> {
  if (!('scheduleTime' in pdu)) return { dueAt: null, validityMs: undefined };
  const dueAt = readSmppTime(pdu.scheduleTime, now);
  if (dueAt === undefined) throw new SmppRefusal(errorCode.ESME_RINVSCHED, 'not a time');
  const expiry = readSmppTime(pdu.validityPeriod, now);
  if (expiry === undefined) throw new SmppRefusal(errorCode.ESME_RINVEXPIRY, 'not a time');
  if (expiry === null) return { dueAt, validityMs: undefined };
  const validityMs = expiry - Math.max(now, dueAt ?? now);
  if (validityMs <= 0) throw new SmppRefusal(errorCode.ESME_RINVEXPIRY, 'it expires before it is due');
  return { dueAt, validityMs };
}

/** Whether two spellings are one sender: a number, or a name without case. */
function isSameSource(one: string, other: string, { numbers }: SendContext['services']): boolean {
  const keyOf = (source: string) =>
    /^\d+$/.test(source) ? (numbers.parse(source)?.digits ?? source) : source.toLowerCase();
  return keyOf(one) === keyOf(other);
}
