import { LRUCache } from 'lru-cache';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { Work } from '../../engine/work/work.ts';
import { HIDDEN } from '../../engine/work/worker.ts';
import type { Context } from '../../kit/context.ts';
import { idFloor, timeOfId } from '../../kit/ids.ts';
import { isOpen, type OpeningHours, wasOpen } from '../../kit/week-hours.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { AsksRemoval } from '../audience/removal-words.ts';
import type { People } from '../people/people.ts';
import { aboutConversation, type ChangeDeps, changeConversation } from './change.ts';
import { insertEntry } from './entries.ts';
import type { Received } from './received.ts';
import { AUTOMATIC_REPLY } from './replies.ts';
import { fillVariables } from './reply-variables.ts';
import { type Conversation, nobody } from './rows.ts';
import { RuleSet } from './rule-set.ts';
import { type ConversationRule, readRulesOf } from './rules.ts';
import { type ConversationSettings, defaultSettings, openingOf, readSettingsOf } from './settings.ts';
import { lockTurns, takeTurn } from './turns.ts';

/**
 * Maximum automatic replies to one client within an hour, which ends a loop between two programs that answer each
 * other.
 */
const MAX_REPLIES = 5;
const HOUR_MS = 3_600_000;
/**
 * Milliseconds until a change by another process takes effect, and number of accounts whose rules and settings are
 * cached.
 */
const MAX_AGE_MS = 2_000;
const MAX_ACCOUNTS = 1_000;

interface AutomationDeps extends ChangeDeps, Pick<Context, 'log'> {
  readonly accounts: Pick<Accounts, 'cached'>;
  readonly defaultZone: string;
  readonly people: Pick<People, 'listAgents'>;
  readonly asksRemoval: AsksRemoval;
  readonly work: Work;
}

/** Rules and settings of an account, prepared for messages. */
interface Known {
  readonly rules: RuleSet;
  readonly settings: ConversationSettings;
}

/** A message that a person wrote, stored in its conversation, whose row the transaction has locked. */
export interface NewMessage {
  readonly accountId: number;
  readonly conversation: Conversation;
  readonly received: Received;
  /** Whether it began the conversation, or reopened it. */
  readonly isFirst: boolean;
  /** Time of the last away message in the conversation; null: never. */
  readonly awayAt: number | null;
}

/** A message with automatic handling. */
interface Due extends Omit<NewMessage, 'awayAt'> {
  readonly known: Known;
  readonly opening: OpeningHours;
  /** The matching rules. */
  readonly rules: readonly ConversationRule[];
  /** Whether the away message is sent unless a rule replies. */
  readonly isAway: boolean;
  /** Whether the conversation is assigned by turns unless somebody has it. */
  readonly takesTurn: boolean;
}

/** A message being handled. */
interface Handled extends Due {
  readonly tx: TransactionSql;
}

/** Automatic handling of messages from clients: rules, the away message, assignment by turns. */
export class Automation {
  readonly #deps: AutomationDeps;
  /** By account. */
  readonly #known = new LRUCache<number, Known>({ max: MAX_ACCOUNTS, ttl: MAX_AGE_MS });

  constructor(deps: AutomationDeps) {
    this.#deps = deps;
  }

  /** Drops the cached rules and settings of an account after a change. */
  changed(accountId: number): void {
    this.#known.delete(accountId);
  }

  /**
   * Handles messages that people wrote to accounts of one placement, in the transaction that stored them. If our code
   * fails, the messages stay stored, and the automatic handling of those at fault is undone.
   */
  async received(tx: TransactionSql, messages: readonly NewMessage[]): Promise<void> {
    // A client who asks to be removed gets no automatic reply.
    const asked = messages.filter(({ received }) => !this.#deps.asksRemoval(received.text));
    const known = await this.#read(tx, [...new Set(asked.map(({ accountId }) => accountId))]);
    const due = asked.flatMap((message) => this.#dueOf(message, known.get(message.accountId)!) ?? []);
    if (due.length > 0) await this.#tryHandle(tx, due);
  }

  /** Decides what happens automatically to a message; undefined if nothing does. */
  #dueOf({ awayAt, ...message }: NewMessage, known: Known): Due | undefined {
    const { accountId, received, isFirst } = message;
    try {
      const zone = this.#deps.accounts.cached(accountId)?.timeZone ?? this.#deps.defaultZone;
      const opening = openingOf(known.settings, zone);
      const at = timeOfId(received.messageId);
      const rules = known.rules.matching({
        channel: this.#deps.channels.of(received.channel).name,
        sender: received.sender,
        text: received.text,
        isFirst,
        isOpen: () => isOpen(opening, at),
      });
      const { away_text, away_stopped, by_turns } = known.settings;
      const isAway =
        away_text !== null &&
        away_stopped === null &&
        !isOpen(opening, at) &&
        (awayAt === null || wasOpen(opening, awayAt, at));
      const takesTurn = isFirst && by_turns;
      if (rules.length === 0 && !isAway && !takesTurn) return undefined;
      return { ...message, known, opening, rules, isAway, takesTurn };
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  #failed(error: unknown): void {
    this.#deps.log.error({ err: error }, 'rules of conversations failed; the message is stored');
  }

  /** Handles messages together, or separately if that fails, so that one does not affect the others. */
  async #tryHandle(
    tx: TransactionSql,
    due: readonly Due[],
    conversations = new Map<number, Conversation>(),
  ): Promise<void> {
    try {
      await tx.savepoint((inner) => this.#handleAll(inner, due, conversations));
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      if (due.length === 1) {
        this.#failed(error);
        return;
      }
      // The changes so far are undone.
      const changed = new Map<number, Conversation>();
      for (const one of due) await this.#tryHandle(tx, [one], changed);
    }
  }

  /**
   * Handles the messages of each account one after the other, and those of different accounts concurrently.
   *
   * @param conversations conversations that earlier messages have changed, by id
   */
  async #handleAll(
    tx: TransactionSql,
    due: readonly Due[],
    conversations: Map<number, Conversation>,
  ): Promise<void> {
    const byAccount = Map.groupBy(due, ({ accountId }) => accountId);
    const inTurns = [...byAccount].filter(([, own]) => own.some(mayTakeTurn)).map(([accountId]) => accountId);
    await lockTurns(tx, inTurns);
    const handling = [...byAccount.values()].map(async (own) => {
      for (const one of own) {
        const { id } = one.conversation;
        const before = conversations.get(id) ?? one.conversation;
        conversations.set(id, await this.#handle({ ...one, tx }, before));
      }
    });
    // After an error no statement of the others may follow the end of the savepoint.
    const results = await Promise.allSettled(handling);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Returns the conversation afterwards. */
  async #handle(handled: Handled, before: Conversation): Promise<Conversation> {
    const { tx, accountId, rules, isAway, takesTurn } = handled;
    let conversation = before;
    let hasReplied = false;
    for (const rule of rules) {
      const done = await this.#apply(handled, conversation, rule);
      conversation = done.conversation;
      hasReplied ||= done.replied;
    }
    if (isAway && !hasReplied) await this.#tellAway(handled, conversation);
    if (!takesTurn) return conversation;
    // An assignee who no longer answers conversations does not count.
    const { assignee_id } = conversation;
    const isTaken =
      assignee_id !== null &&
      (await this.#deps.people.listAgents(accountId, tx)).some(({ id }) => id === assignee_id);
    return isTaken ? conversation : this.#assignNext(handled, conversation, null);
  }

  /** Runs the actions of a rule and records them in the conversation. */
  async #apply(
    handled: Handled,
    before: Conversation,
    rule: ConversationRule,
  ): Promise<{ conversation: Conversation; replied: boolean }> {
    const { ids, channels, events } = this.#deps;
    const { tx, accountId, received } = handled;
    const { messageId, text } = received;
    const entryId = ids.next();
    const replyText = await textOf(tx, accountId, rule);
    const reply = replyText === null ? 'none' : await this.#reply(handled, before, replyText, rule.id);
    let conversation = before;
    const labels = await labelsOf(tx, accountId, rule.label_ids);
    if (labels.length > 0) {
      const labelIds = [...new Set([...before.label_ids, ...labels])];
      conversation = await this.#change(handled, conversation, { labelIds }, rule.id);
    }
    conversation = await this.#assign(handled, conversation, rule);
    if (rule.webhook) {
      const about = aboutConversation(channels, conversation);
      const data = { ...about, rule_id: rule.id, rule: rule.name, message_id: messageId, text };
      await events.record(tx, accountId, [
        { type: 'conversation.rule_matched', at: timeOfId(messageId), data },
      ]);
    }
    const details = {
      rule: rule.name,
      message_id: String(messageId),
      ...(reply !== 'none' && { reply }),
      ...(conversation.assignee_id !== before.assignee_id && { assigned: true }),
      ...(labels.length > 0 && { labels: labels.map(String) }),
      ...(rule.webhook && { webhook: true }),
    };
    const entry = { id: entryId, kind: 'rule', by: nobody, ruleId: rule.id, details } as const;
    await insertEntry(tx, accountId, before.id, entry);
    return { conversation, replied: reply === 'sent' };
  }

  async #assign(
    handled: Handled,
    conversation: Conversation,
    { id: ruleId, assignee_id, assign_by_turns }: ConversationRule,
  ): Promise<Conversation> {
    if (conversation.assignee_id !== null) return conversation;
    if (assign_by_turns) return this.#assignNext(handled, conversation, ruleId);
    if (assignee_id === null) return conversation;
    const agents = await this.#deps.people.listAgents(handled.accountId, handled.tx);
    const assignee = agents.find(({ id }) => id === assignee_id);
    return assignee ? this.#change(handled, conversation, { assignee }, ruleId) : conversation;
  }

  async #assignNext(
    handled: Handled,
    conversation: Conversation,
    ruleId: number | null,
  ): Promise<Conversation> {
    const assignee = await takeTurn(handled.tx, this.#deps.people, handled.accountId);
    return assignee ? this.#change(handled, conversation, { assignee }, ruleId) : conversation;
  }

  #change(
    { tx, accountId }: Handled,
    conversation: Conversation,
    change: Parameters<typeof changeConversation>[4],
    ruleId: number | null,
  ): Promise<Conversation> {
    return changeConversation(tx, this.#deps, accountId, conversation, change, nobody, ruleId);
  }

  /** Schedules an automatic reply for after the commit, unless the client has had too many. */
  async #reply(
    { tx, accountId, received }: Handled,
    { id, client, client_name }: Conversation,
    text: string,
    ruleId: number | null,
  ): Promise<'sent' | 'limited'> {
    const at = timeOfId(received.messageId);
    if ((await countReplies(tx, accountId, client, at - HOUR_MS)) >= MAX_REPLIES) return 'limited';
    const agent_name = this.#deps.accounts.cached(accountId)?.name ?? '';
    const filled = fillVariables(text, { client_name, agent_name });
    const key = this.#deps.ids.next();
    await tx`
      INSERT INTO conversation_tasks (account_id, id, conversation_id, rule_id, text, due_at)
      VALUES (${accountId}, ${key}, ${id}, ${ruleId}, ${tx.waitingText(accountId, filled)}, ${HIDDEN})`;
    await this.#deps.work.add(tx, { accountId, kind: AUTOMATIC_REPLY, key });
    return 'sent';
  }

  /** Sends the away message, once until the office has been open again. */
  async #tellAway(handled: Handled, conversation: Conversation): Promise<void> {
    const { tx, accountId, received, known, opening } = handled;
    const at = timeOfId(received.messageId);
    // An earlier message of the group may have had it.
    const [row] = await tx<{ away_at: number | null }[]>`
      SELECT away_at FROM conversations WHERE account_id = ${accountId} AND id = ${conversation.id}`;
    const { away_at } = row!;
    if (away_at !== null && !wasOpen(opening, away_at, at)) return;
    const entryId = this.#deps.ids.next();
    const reply = await this.#reply(handled, conversation, known.settings.away_text!, null);
    await tx`
      UPDATE conversations SET away_at = ${at} WHERE account_id = ${accountId} AND id = ${conversation.id}`;
    const details = { away: true, message_id: String(received.messageId), reply };
    const entry = { id: entryId, kind: 'rule', by: nobody, ruleId: null, details } as const;
    await insertEntry(tx, accountId, conversation.id, entry);
  }

  /**
   * Returns the rules and settings of accounts: from memory, or read on the transaction's own connection, because waiting
   * for another connection could deadlock the pool.
   */
  async #read(tx: TransactionSql, accountIds: readonly number[]): Promise<Map<number, Known>> {
    const found = new Map<number, Known>();
    const missing: number[] = [];
    for (const accountId of accountIds) {
      const kept = this.#known.get(accountId);
      if (kept) found.set(accountId, kept);
      else missing.push(accountId);
    }
    if (missing.length === 0) return found;
    const [rules, settings] = await Promise.all([readRulesOf(tx, missing), readSettingsOf(tx, missing)]);
    for (const accountId of missing) {
      const known = {
        rules: new RuleSet(rules.get(accountId) ?? []),
        settings: settings.get(accountId) ?? defaultSettings,
      };
      this.#known.set(accountId, known);
      found.set(accountId, known);
    }
    return found;
  }
}

/** Whether the conversation of a message may be assigned by turns. */
const mayTakeTurn = ({ takesTurn, rules }: Due): boolean =>
  takesTurn || rules.some(({ assign_by_turns }) => assign_by_turns);

async function textOf(
  tx: Queryable,
  accountId: number,
  { reply_text, saved_reply_id }: ConversationRule,
): Promise<string | null> {
  if (reply_text !== null || saved_reply_id === null) return reply_text;
  const [row] = await tx<{ text: string }[]>`
    SELECT text FROM saved_replies WHERE account_id = ${accountId} AND id = ${saved_reply_id}`;
  return row?.text ?? null;
}

/** Returns those of these labels that still exist. */
async function labelsOf(tx: Queryable, accountId: number, wanted: readonly number[]): Promise<number[]> {
  if (wanted.length === 0) return [];
  const rows = await tx<{ id: number }[]>`SELECT id FROM conversation_labels WHERE account_id = ${accountId}`;
  return rows.map(({ id }) => id).filter((id) => wanted.includes(id));
}

/** Counts the automatic replies to a client since a time (milliseconds since the epoch), in all their conversations. */
async function countReplies(
  tx: Queryable,
  accountId: number,
  client: string,
  since: number,
): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    SELECT count(*)::int AS count FROM conversations c
    JOIN conversation_entries e ON e.account_id = ${accountId} AND e.conversation_id = c.id
    WHERE c.account_id = ${accountId} AND c.client = ${client} AND e.id >= ${idFloor(since)} AND e.kind = 'rule'
      AND e.details->>'reply' = 'sent'`;
  return row!.count;
}
