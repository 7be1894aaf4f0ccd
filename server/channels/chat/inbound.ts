import { numbers as numberArray } from '../../database/arrays.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import { EarlyStore } from '../../engine/dispatch/early-store.ts';
import type { DeliveryUpdate } from '../../engine/dispatch/recorder.ts';
import type { Events } from '../../engine/events/events.ts';
import { type Event, withTrace } from '../../engine/events/types.ts';
import type { Context } from '../../kit/context.ts';
import { OwnerStuck } from '../../kit/owners.ts';
import type {
  EchoFact,
  MessageFact,
  PlatformFact,
  StatusFact,
  TierFact,
} from '../../protocols/chat-platform/facts.ts';
import { normaliseId } from '../../protocols/smpp/message-id.ts';
import type { ChatNumbers } from './business-numbers.ts';
import { chatChannel } from './channel.ts';
import type { IncomingMessages } from './incoming-messages.ts';
import type { OptOuts } from './opt-outs.ts';
import { findSent } from './quotes.ts';
import { decodeReference, type Reference } from './references.ts';
import type { Standings } from './standings.ts';
import { chatRoute, chatStatus } from './statuses.ts';
import type { Templates } from './templates.ts';

const DAY = 86_400_000;
/** Milliseconds that received messages are remembered, so that none is stored twice. */
const KNOWN_FOR = 30 * DAY;

/** Pauses between look-ups of a status without our reference; afterwards it is dropped. */
const EARLY_PAUSES = [1, 2, 5, 15, 60, 300, 1_800].map((seconds) => seconds * 1_000);

/** A row of chat_early_statuses. */
interface EarlyStatus {
  readonly account_id: number;
  readonly id: number;
  /** A StatusFact as JSON. */
  readonly fact: string;
}

interface ChatInboundDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log' | 'tracing'> {
  readonly events: Events;
  /** Accepts delivery updates of messages; calls `stored` after they are committed. */
  readonly recorder: { add(update: DeliveryUpdate, stored: () => void): void };
  /** Called after a commit with the messages that were read. */
  readonly changed?: ((accountId: number, messageIds: Iterable<number>) => void) | undefined;
  readonly numbers: ChatNumbers;
  readonly templates: Pick<Templates, 'applyReview' | 'applyChange' | 'applyQuality' | 'applyCategory'>;
  readonly standings: Pick<Standings, 'store'>;
  readonly optOuts: Pick<OptOuts, 'store'>;
  readonly messages: Pick<IncomingMessages, 'store'>;
}

interface MessageRow {
  id: number;
  shipment_id: number;
  phone: string;
  source: string;
  handed_at: number | null;
  final_at: number | null;
  read_at: number | null;
}

type OurStatus = StatusFact & Reference;

/**
 * Stores the contents of the platform's webhooks, which may be repeated, in any order, and about messages of other
 * programs.
 */
export class ChatInbound {
  readonly #deps: ChatInboundDeps;
  readonly #early: EarlyStore<EarlyStatus>;

  constructor(deps: ChatInboundDeps) {
    this.#deps = deps;
    const { sql, clock } = deps;
    this.#early = new EarlyStore({
      ...{ sql, clock, pauses: EARLY_PAUSES },
      table: 'chat_early_statuses',
      owner: 'account_id',
    });
  }

  /**
   * Resolves when everything is stored; only then may the webhook be answered with 200. Throws if the database is
   * unavailable. Skips contents that can never be stored, because the platform would otherwise repeat the whole webhook
   * forever.
   */
  async take(facts: readonly PlatformFact[]): Promise<void> {
    const statuses: StatusFact[] = [];
    let messages: (MessageFact | EchoFact)[] = [];
    for (const fact of facts) {
      if (fact.kind === 'status') statuses.push(fact);
      else if (fact.kind === 'message' || fact.kind === 'echo') messages.push(fact);
      else {
        await this.#messages(messages);
        messages = [];
        await this.#other(fact).catch((error: unknown) => this.#leaveOut(fact.kind, error));
      }
    }
    await this.#messages(messages);
    if (statuses.length > 0) {
      await this.#statuses(statuses).catch((error: unknown) => this.#leaveOut('status', error));
    }
  }

  async #messages(facts: readonly (MessageFact | EchoFact)[]): Promise<void> {
    if (facts.length === 0) return;
    for (const [index, stored] of (await this.#deps.messages.store(facts)).entries()) {
      if (stored.status === 'rejected') this.#leaveOut(facts[index]!.kind, stored.reason);
    }
  }

  /** Logs that something can never be stored. Throws the error if the database is unavailable. */
  #leaveOut(kind: PlatformFact['kind'], error: unknown): void {
    if (isDatabaseTrouble(error) || error instanceof OwnerStuck) throw error;
    this.#deps.log.error({ err: error, kind }, 'notice of the chat platform not stored');
  }

  async #other(fact: Exclude<PlatformFact, StatusFact | MessageFact | EchoFact>): Promise<void> {
    switch (fact.kind) {
      case 'preference':
        return this.#deps.optOuts.store(fact);
      case 'tier':
        return this.#tier(fact);
      case 'template-changed':
        return this.#deps.templates.applyChange(fact.accountId);
      case 'template-category':
        return this.#deps.templates.applyCategory(fact);
      case 'template-quality':
        return this.#deps.templates.applyQuality(fact);
      case 'standing':
        return this.#deps.standings.store(fact);
      case 'account':
        this.#deps.log.info({ event: fact.event }, 'the chat platform has changed a business account');
        return;
      case 'template-status':
        return this.#deps.templates.applyReview(fact);
      case 'trouble':
        this.#deps.log.warn(
          { platformCode: fact.error.code, reason: fact.error.reason },
          'chat platform reports a problem with a business number',
        );
        return;
      default:
    }
  }

  async #tier({ accountId, tier, limit, at }: TierFact): Promise<void> {
    if (tier === null) this.#deps.log.info({ limit }, 'chat platform reports an unknown messaging limit');
    else await this.#deps.numbers.applyTier(accountId, tier, at);
  }

  /** Deletes the ids of messages received a month ago. Runs every hour. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM chat_received WHERE at < ${clock.now() - KNOWN_FOR}`;
  }

  async #statuses(facts: readonly StatusFact[]): Promise<void> {
    const found = await this.#withReferences(facts);
    const early = facts.filter((fact, index) => !found[index] && fact.reference === '');
    await Promise.all([this.#apply(found.filter((fact) => fact !== undefined)), this.#keepEarly(early)]);
  }

  async #apply(ours: readonly OurStatus[]): Promise<void> {
    await Promise.all(
      [...Map.groupBy(ours, ({ accountId }) => accountId)].map(([accountId, mine]) =>
        this.#statusesOf(accountId, mine),
      ),
    );
  }

  /** Stores statuses whose message is still unknown: the response to its submission may not be stored yet. */
  async #keepEarly(facts: readonly StatusFact[]): Promise<void> {
    const { ids, numbers } = this.#deps;
    const kept: EarlyStatus[] = [];
    for (const fact of facts) {
      const number = await numbers.byPlatformId(fact.phoneNumberId);
      if (number) kept.push({ account_id: number.accountId, id: ids.next(), fact: JSON.stringify(fact) });
    }
    await this.#early.keep(kept);
  }

  /**
   * Looks again for the messages of early statuses. Runs every second. A status of a message that another program sent
   * from this number is dropped in the end.
   */
  async retryEarly(): Promise<void> {
    await this.#early.retry(async (rows) => {
      const found = await this.#withReferences(rows.map(({ fact }) => JSON.parse(fact) as StatusFact));
      await this.#apply(found.filter((fact) => fact !== undefined));
      return found.map((fact) => fact !== undefined);
    });
  }

  /**
   * Finds the message of each status: by the reference from its submission, otherwise by the platform's id, which was
   * stored with the response. Returns undefined for messages that are not ours.
   */
  #withReferences(facts: readonly StatusFact[]): Promise<(OurStatus | undefined)[]> {
    return Promise.all(
      facts.map(async (fact) => {
        const reference = decodeReference(fact.reference) ?? (await this.#byPlatformId(fact));
        return reference && { ...fact, ...reference };
      }),
    );
  }

  async #byPlatformId({ phoneNumberId, platformId }: StatusFact): Promise<Reference | undefined> {
    const { sql, numbers, clock } = this.#deps;
    const number = await numbers.byPlatformId(phoneNumberId);
    const messageId = number && (await findSent(sql, number, platformId, clock.now()));
    return number && messageId ? { accountId: number.accountId, messageId } : undefined;
  }

  async #statusesOf(accountId: number, facts: readonly OurStatus[]): Promise<void> {
    const { sql, recorder } = this.#deps;
    const ids = [...new Set(facts.map(({ messageId }) => messageId))];
    const rows = await sql<MessageRow[]>`
      SELECT id, shipment_id, recipient AS phone, source, handed_at, final_at, read_at FROM messages
      WHERE account_id = ${accountId} AND id = ANY(${numberArray(ids)}::bigint[]) AND channel = ${chatChannel.id}`;
    const messages = new Map(rows.map((row) => [row.id, row]));
    const stored: Promise<void>[] = [];
    const read: MessageRow[] = [];
    for (const fact of facts) {
      const message = messages.get(fact.messageId);
      if (!message) continue;
      const update = updatesOf(accountId, message, fact);
      if (update) stored.push(new Promise((resolve) => recorder.add(update, resolve)));
      if (fact.status === 'read' && message.read_at === null) read.push(message);
    }
    await Promise.all(stored);
    if (read.length > 0) await this.#read(accountId, read);
  }

  async #read(accountId: number, messages: readonly MessageRow[]): Promise<void> {
    const { sql, events, clock, tracing } = this.#deps;
    const at = clock.now();
    const byId = new Map(messages.map((message) => [message.id, message]));
    const ids = [...byId.keys()];
    await sql.begin(async (tx) => {
      const rows = await tx<{ id: number; trace?: string | null }[]>`
        UPDATE messages SET read_at = ${at}
        WHERE account_id = ${accountId} AND id = ANY(${numberArray(ids)}::bigint[]) AND read_at IS NULL
          AND status = ${chatStatus.delivered}
        RETURNING id${tracing ? sql`, trace` : sql``}`;
      await events.record(
        tx,
        accountId,
        rows.map(({ id, trace }): Event => {
          const { shipment_id, source, phone } = byId.get(id)!;
          const data = { message_id: id, shipment_id, from: source, to: phone, reason: null };
          return withTrace({ type: 'chat.status', at, data: { ...data, status: 'read' } }, trace);
        }),
      );
    });
    this.#deps.changed?.(accountId, ids);
  }
}

/** Returns the update for a new status. Statuses never go backwards: the recorder does not change final ones. */
function updatesOf(accountId: number, message: MessageRow, fact: StatusFact): DeliveryUpdate | undefined {
  if (message.final_at !== null) return undefined;
  const { id: messageId, phone, source, shipment_id: shipmentId } = message;
  const of = {
    accountId,
    messageId,
    phone,
    shipmentId,
    channel: chatChannel.id,
    connector: chatRoute(source),
  };
  // The response was lost, or is not stored yet. The status contains the same information.
  const taken =
    message.handed_at === null ? { handedAt: fact.at, carrierKeys: [normaliseId(fact.platformId)] } : {};
  switch (fact.status) {
    case 'sent':
      return message.handed_at === null ? { ...of, ...taken } : undefined;
    case 'delivered':
    case 'read':
      return { ...of, ...taken, delivered: -1 };
    case 'failed':
      return {
        ...of,
        ...taken,
        failure: chatStatus.undelivered,
        code: fact.error?.reason ?? 'platform',
        refund: true,
      };
  }
}
