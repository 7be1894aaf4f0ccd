import { noteStored } from '../../database/after-commit.ts';
import type { Sql } from '../../database/connection.ts';
import { onePlacement, type Placement, type Placements } from '../../database/placements.ts';
import { isDatabaseTrouble, isDeadlock } from '../../database/trouble.ts';
import {
  AcceptQueue,
  gathering,
  gatheringOfShard,
  type Queued,
  type Release,
} from '../../engine/messages/accept-queue.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { OwnerStuck, supervise } from '../../kit/owners.ts';
import type { EchoFact, MessageFact } from '../../protocols/chat-platform/facts.ts';
import type { ChatNumber, ChatNumbers } from './business-numbers.ts';
import { type IncomingChat, type IncomingGroupDeps, storeIncoming } from './incoming-group.ts';

/**
 * Milliseconds that a group waits for a locked row, which a campaign of one of its accounts may hold. Then the accounts are
 * stored separately, and other groups do not wait for them.
 */
const LOCK_MS = 250;

interface IncomingMessagesDeps extends IncomingGroupDeps {
  readonly sql: Sql;
  readonly log: Logger;
  readonly placements: Placements;
  readonly numbers: Pick<ChatNumbers, 'byPlatformId'>;
}

/** A message that waits to be stored. */
interface Waiting extends Queued, IncomingChat {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores messages of clients to business numbers. Messages that arrive while a group is stored are stored together in
 * the next one, for all accounts of a placement: one transaction serves them all. The messages of an account keep their
 * order.
 *
 * A message that cannot be stored does not affect the others: if the database refuses a group, each account is stored
 * separately, and each message of an account that is refused again.
 */
export class IncomingMessages {
  readonly #deps: IncomingMessagesDeps;
  readonly #queues = new Map<Placement, AcceptQueue<Waiting>>();

  constructor(deps: IncomingMessagesDeps) {
    this.#deps = deps;
  }

  /**
   * Stores the messages of a webhook in their order: each with its conversation (the business number and the client), the
   * client's window if they wrote it, and its event. A known message changes nothing. An echo opens no window and records
   * no event. Resolves after the commits, with the outcome of each message. Rejects if the business numbers cannot be read.
   */
  async store(facts: readonly (MessageFact | EchoFact)[]): Promise<PromiseSettledResult<void>[]> {
    const { numbers, placements } = this.#deps;
    const found = await Promise.all(
      facts.map(async (fact) => {
        const number = await numbers.byPlatformId(fact.phoneNumberId);
        return number && { number, placement: await placements.of(number.accountId) };
      }),
    );
    // All look-ups have ended, so the messages enter the queue in their order.
    return Promise.allSettled(facts.map((fact, index) => this.#add(fact, found[index])));
  }

  async #add(
    fact: MessageFact | EchoFact,
    found: { readonly number: ChatNumber; readonly placement: Placement } | undefined,
  ): Promise<void> {
    if (!found) {
      this.#deps.log.warn('chat message to an unknown business number ignored');
      return;
    }
    const { number, placement } = found;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { accountId } = number;
    this.#queueOf(placement).add({ accountId, size: 1, number, fact, resolve, reject });
    await promise;
    // It was stored for this request, though in another context.
    noteStored();
  }

  #queueOf(placement: Placement): AcceptQueue<Waiting> {
    let queue = this.#queues.get(placement);
    if (!queue) {
      queue = new AcceptQueue(
        (group, release) => this.#storeGroup(group, release),
        this.#deps.placements === onePlacement ? gathering : gatheringOfShard,
      );
      this.#queues.set(placement, queue);
    }
    return queue;
  }

  /** Settles every message of a group. Accounts that are stored separately are released later. */
  async #storeGroup(group: readonly Waiting[], release: Release): Promise<void> {
    const byAccount = Map.groupBy(group, ({ accountId }) => accountId);
    const isSettled = await this.#tryStore(group, { lockMs: LOCK_MS });
    for (const [accountId, mine] of byAccount) {
      if (isSettled) release(accountId);
      else void this.#storeAccount(mine).then(() => release(accountId));
    }
  }

  /** Settles the messages of one account. */
  async #storeAccount(mine: readonly Waiting[]): Promise<void> {
    if (mine.length > 1 && (await this.#tryStore(mine))) return;
    for (const one of mine) {
      await this.#store([one]).catch((error: unknown) => one.reject(error));
    }
  }

  /** Stores messages and settles them. Returns false, with none settled, if fewer at a time may be stored. */
  async #tryStore(group: readonly Waiting[], options: { lockMs?: number } = {}): Promise<boolean> {
    try {
      await this.#store(group, options);
    } catch (error) {
      if (!isUnavailable(error)) return false;
      for (const { reject } of group) reject(error);
    }
    return true;
  }

  /** Stores messages in one transaction, then settles them. Rejects with errors of the database. */
  async #store(group: readonly Waiting[], options: { lockMs?: number } = {}): Promise<void> {
    const { sql, conversations } = this.#deps;
    await supervise('incoming chats', () => sql.begin(options, (tx) => storeIncoming(tx, this.#deps, group)));
    for (const accountId of new Set(group.map((one) => one.accountId))) conversations.announce(accountId);
    for (const { resolve } of group) resolve();
  }
}

/** Whether fewer messages at a time would fail, too. */
const isUnavailable = (error: unknown) =>
  error instanceof OwnerStuck || (isDatabaseTrouble(error) && !isDeadlock(error));
