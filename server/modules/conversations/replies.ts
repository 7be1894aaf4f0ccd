import type { SendKey, SendKeys } from '../../api/send-keys/send-keys.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import { type WorkLease, WorkLost } from '../../engine/work/lease.ts';
import type { Work } from '../../engine/work/work.ts';
import { HIDDEN, type Outcome, type PreviousKey, type WorkItem } from '../../engine/work/worker.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { countryOf } from '../../kit/numbers/countries.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import type { BudgetBook } from '../budgets/budgets.ts';
import type { FraudGuard } from '../fraud-guard/fraud-guard.ts';
import type { Conversations } from './conversations.ts';
import { insertEntry } from './entries.ts';
import { findConversation } from './list.ts';
import type {
  ReplyChannel,
  ReplyContent,
  ReplyEstimate,
  ReplySender,
  ReplyState,
  SentReply,
} from './reply-channel.ts';
import { noteReply } from './reply-notes.ts';
import { type Actor, type Conversation, nobody } from './rows.ts';
import { readSettings } from './settings.ts';
import { noSender } from './text-replies.ts';

/** Kind of background work. */
export const AUTOMATIC_REPLY = 'automatic-reply';
/** Automatic replies at a time, the longest attempt, and pauses before the next one. */
const AT_ONCE = 4;
const DEADLINE_MS = 60_000;
const PAUSES = [5, 15, 60, 300].map((seconds) => seconds * 1_000);

interface RepliesDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly conversations: Conversations;
  readonly sendKeys: SendKeys;
  readonly budgets: Pick<BudgetBook, 'take'>;
  readonly fraudGuard: Pick<FraudGuard, 'watch' | 'count'>;
  readonly numbers: Pick<NumberReader, 'isInternational'>;
  readonly work: Work;
}

interface Task {
  readonly account_id: number;
  readonly id: number;
  readonly conversation_id: number;
  readonly rule_id: number | null;
  readonly text: string;
  readonly counted: boolean;
}

/** The channel, sender and client of a reply. */
type ReplyTarget = Pick<Conversation, 'channel' | 'sender' | 'client'>;

/** Replies to clients in their conversations, over the channel that they used last. */
export class Replies {
  readonly #deps: RepliesDeps;
  readonly #channels = new Map<number, ReplyChannel>();

  constructor(deps: RepliesDeps) {
    this.#deps = deps;
    deps.work.register({
      kind: AUTOMATIC_REPLY,
      owner: 'automatic replies',
      places: AT_ONCE,
      perAccount: 1,
      deadlineMs: DEADLINE_MS,
      retry: { pausesMs: PAUSES, maxAttempts: PAUSES.length + 1 },
      step: (item, lease) => this.#step(item, lease),
      givenUp: async (tx, { accountId, key: id }, error) => {
        const [task] = await tx<Task[]>`
          SELECT account_id, id, conversation_id, rule_id, text, counted FROM conversation_tasks
          WHERE account_id = ${accountId} AND id = ${id}`;
        if (task) await this.#givenUp(tx, task, error);
      },
      previous: {
        waiting: (sql, leaseNow, limit) => sql<PreviousKey[]>`
          SELECT account_id AS "accountId", id AS key FROM conversation_tasks WHERE due_at <= ${leaseNow} LIMIT ${limit}`,
        async take(tx, { accountId, key }, leaseNow) {
          const { count } = await tx`
            UPDATE conversation_tasks SET due_at = ${HIDDEN}
            WHERE account_id = ${accountId} AND id = ${key} AND due_at <= ${leaseNow}`;
          return count === 0 ? undefined : leaseNow;
        },
      },
    });
  }

  /** Registers the replies of a channel. Each channel does this before any request. */
  add(channel: number, replies: ReplyChannel): void {
    this.#channels.set(channel, replies);
  }

  /** Returns the senders of an account that can begin conversations, with the ids of their channels. */
  async senders(accountId: number): Promise<readonly (ReplySender & { readonly channel: number })[]> {
    const lists = await Promise.all(
      Array.from(this.#channels, async ([channel, replies]) =>
        ((await replies.senders?.(accountId)) ?? []).map((sender) => ({ ...sender, channel })),
      ),
    );
    return lists.flat();
  }

  /** Returns the kinds of replies that the client of a conversation can get now. */
  async state(accountId: number, conversation: ReplyTarget): Promise<ReplyState> {
    const { channel, sender, client } = conversation;
    return (await this.#channels.get(channel)?.state({ accountId, sender, client })) ?? noSender;
  }

  /** Returns the current price of a reply. Throws Refusal for a reply that cannot be sent. */
  async estimate(
    accountId: number,
    { channel, sender, client }: ReplyTarget,
    content: ReplyContent,
  ): Promise<ReplyEstimate> {
    return this.#of(channel).estimate({ accountId, sender, client, content });
  }

  /**
   * Accepts a reply durably and adds it to the conversation. Throws Refusal for a reply that cannot be sent, and
   * `not-now` while another person writes an answer; then nothing is stored or charged.
   */
  async send(
    accountId: number,
    conversation: Conversation,
    reply: {
      readonly content: ReplyContent;
      readonly replyTo?: string | undefined;
      readonly international?: boolean | undefined;
    },
    by: Actor,
    sendKey: SendKey<SentReply> | undefined,
  ): Promise<SentReply> {
    const { conversations } = this.#deps;
    const { id, channel, sender, client } = conversation;
    conversations.checkWriter(conversation, by);
    const sent = await this.#of(channel).send({ accountId, sender, client, ...reply }, sendKey);
    await conversations.noteReply(accountId, id, { ...sent, by });
    return sent;
  }

  /** Sends one automatic reply, once: the send key of its id finds one that was sent before the process was killed. */
  async #step({ accountId, key: id }: WorkItem, lease: WorkLease): Promise<Outcome> {
    const { sql, log } = this.#deps;
    const [task] = await sql<Task[]>`
      SELECT account_id, id, conversation_id, rule_id, text, counted FROM conversation_tasks
      WHERE account_id = ${accountId} AND id = ${id}`;
    if (!task) return 'done';
    try {
      await this.#sendTask(task, lease);
    } catch (error) {
      if (isDatabaseTrouble(error) || error instanceof WorkLost) throw error;
      if (!(error instanceof Refusal)) log.error({ err: error }, 'an automatic reply could not be sent');
      const code = error instanceof Refusal ? error.code : 'fault';
      if (code === 'try-again' || code === 'fault') return { failed: code };
      await sql.begin(async (tx) => {
        await this.#givenUp(tx, task, code);
        await lease.done(tx);
      });
    }
    return 'settled';
  }

  async #sendTask(task: Task, lease: WorkLease): Promise<void> {
    const { sql, clock, conversations, sendKeys } = this.#deps;
    const { account_id: accountId, id, conversation_id: conversationId, rule_id: ruleId, text } = task;
    const conversation = await findConversation(sql, accountId, conversationId);
    if (conversation) {
      const { channel, sender, client } = conversation;
      const content = { kind: 'text', text } as const;
      if (!task.counted) await this.#admit(task, { channel, sender, client }, content);
      const key = { accountId, key: `automatic reply ${id}`, operation: 'automatic reply', content: id };
      const use = await sendKeys.use({ ...key, isSealed: true });
      const send = () =>
        this.#of(channel).send(
          { accountId, sender, client, content },
          use.answering((sent) => sent),
        );
      const { answer } = await sendKeys.perform(use, send, { looksFirst: true });
      await sql.begin(async (tx) => {
        await noteReply(tx, accountId, conversationId, { ...answer, by: nobody, ruleId }, clock.now());
        await remove(tx, task);
        await lease.done(tx);
      });
      conversations.announce(accountId);
      return;
    }
    await sql.begin(async (tx) => {
      await remove(tx, task);
      await lease.done(tx);
    });
  }

  /**
   * Checks that an automatic reply may go to the client's country, and charges its budget once, before the first
   * attempt: strangers cause these replies, and the account pays. Throws Refusal `bad-destination`, `over-budget`, and
   * `not-now` if the fraud guard stops it.
   */
  async #admit(
    { account_id: accountId, id }: Task,
    { channel, sender, client }: ReplyTarget,
    content: ReplyContent,
  ): Promise<void> {
    const { sql, budgets, fraudGuard, numbers } = this.#deps;
    const replies = this.#of(channel);
    if (replies.pricedByCountry && numbers.isInternational(client)) {
      const { reply_countries: allowed } = await readSettings(sql, accountId);
      const country = countryOf(client);
      if (country === null || !allowed.includes(country)) {
        throw new Refusal('bad-destination', 'automatic replies to this country are not allowed');
      }
    }
    const { price: credits } = await replies.estimate({ accountId, sender, client, content });
    const count = () =>
      sql.begin(async (tx) => {
        await tx`UPDATE conversation_tasks SET counted = true WHERE account_id = ${accountId} AND id = ${id}`;
        await budgets.take(tx, accountId, 'automatic-replies', { count: 1, credits });
        if (!replies.pricedByCountry) return;
        await fraudGuard.count(tx, { accountId, kind: 'automatic-reply', phone: client });
      });
    await fraudGuard.watch(count);
  }

  /** Notes in the conversation that there was no reply, and why. */
  async #givenUp(tx: TransactionSql, task: Task, code: string): Promise<void> {
    const { ids, clock, conversations } = this.#deps;
    const { account_id: accountId, conversation_id: conversationId, rule_id: ruleId } = task;
    const details = { failed: code };
    await insertEntry(tx, accountId, conversationId, {
      id: ids.next(),
      kind: 'rule',
      by: nobody,
      ruleId,
      details,
    });
    await tx`
      UPDATE conversations SET changed_at = ${clock.now()} WHERE account_id = ${accountId} AND id = ${conversationId}`;
    await remove(tx, task);
    tx.afterCommit(() => conversations.announce(accountId));
  }

  #of(channel: number): ReplyChannel {
    const replies = this.#channels.get(channel);
    if (!replies)
      throw new Refusal('not-now', 'replies over this channel are not possible', undefined, {
        reason: 'no-replies',
      });
    return replies;
  }
}

async function remove(tx: TransactionSql, { account_id: accountId, id }: Task): Promise<void> {
  await tx`DELETE FROM conversation_tasks WHERE account_id = ${accountId} AND id = ${id}`;
}
