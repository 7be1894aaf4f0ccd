import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { monthOf } from '../../../server/channels/chat/billing.ts';
import type { ChatNumber } from '../../../server/channels/chat/business-numbers.ts';
import type { MessageKind } from '../../../server/channels/chat/windows.ts';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import { covers } from '../../conformance/covers.ts';
import { createChatBench, DAY, HOUR, MINUTE, newClients, SECOND, ZONE } from './admissions.ts';

/**
 * The set-wise admission against a model that keeps everything that ever happened and decides on one message after the
 * other by looking through it.
 */
const bench = await createChatBench();
const { clock, sql } = bench;
const TIER = 250;
const FREE = 1_000;

/** Of one business number and client. */
interface History {
  /** When the client wrote, as far as it is known. */
  readonly writes: number[];
  /** Templates that no message of theirs has answered yet. */
  waiting: number[];
  readonly conversations: number[];
}

class Model {
  readonly #histories = new Map<string, History>();
  /** When each client was written to first or again outside their window, by the portfolio. */
  readonly #reached = new Map<string, number[]>();
  readonly #months = new Map<number, number>();
  /** Places of the tier and of the month that are taken from the start. */
  readonly #taken: number;

  constructor(placesTaken: number, month: number, messages: number) {
    this.#taken = placesTaken;
    this.#months.set(month, messages);
  }

  of(number: string, client: string): History {
    const key = `${number} ${client}`;
    let history = this.#histories.get(key);
    if (!history) {
      history = { writes: [], waiting: [], conversations: [] };
      this.#histories.set(key, history);
    }
    return history;
  }

  writes(number: string, client: string, at: number): void {
    const history = this.of(number, client);
    const isLast = history.writes.every((write) => write <= at);
    history.writes.push(at);
    if (isLast) history.waiting = history.waiting.slice(-1).filter((template) => template >= at + SECOND);
  }

  /** Minutes that are over 1,439 before the running one do not count. */
  #counts(time: number, now: number): boolean {
    return Math.floor(time / MINUTE) > Math.floor(now / MINUTE) - 1_440;
  }

  #places(now: number): number {
    const clients = [...this.#reached.values()].filter((times) =>
      times.some((time) => this.#counts(time, now)),
    );
    return this.#taken + clients.length;
  }

  send(number: string, client: string, kind: MessageKind, now: number) {
    const history = this.of(number, client);
    const { writes, conversations } = history;
    const last = Math.max(...writes);
    const isOpen = writes.length > 0 && now - last < DAY;
    const began = conversations.at(-1);
    const isConversation = began !== undefined && now - began < DAY;
    const left = (start: number | undefined) =>
      start === undefined || now - start >= DAY ? 0 : Math.floor((start + DAY - now) / MINUTE);
    const templateTimeLeft = writes.length > 0 ? left(last) : 0;
    const problem = this.#problem(history, client, kind, isOpen, now);
    if (problem) return { client, problem, price: 0, templateTimeLeft, conversationTimeLeft: left(began) };
    let price = 0;
    if (!isConversation) {
      conversations.push(now);
      price += CREDIT;
    }
    if (kind === 'template') {
      history.waiting.push(now);
      if (!isOpen) this.#reached.set(client, [...(this.#reached.get(client) ?? []), now]);
    } else {
      const month = monthOf(now, ZONE);
      const count = (this.#months.get(month) ?? 0) + 1;
      this.#months.set(month, count);
      if (count > FREE) price += CREDIT / 2;
    }
    const conversationTimeLeft = left(conversations.at(-1));
    return { client, problem: null, price, templateTimeLeft, conversationTimeLeft };
  }

  #problem(history: History, client: string, kind: MessageKind, isOpen: boolean, now: number) {
    if (kind === 'template') {
      if (history.waiting.length >= 2) return 'two-unanswered';
      const isReached = this.#reached.get(client)?.some((time) => this.#counts(time, now)) ?? false;
      return !isOpen && !isReached && this.#places(now) >= TIER ? 'tier-reached' : null;
    }
    if (history.writes.length === 0) return 'never-written';
    return isOpen && history.waiting.length === 0 ? null : 'window-closed';
  }
}

const clientCount = 6;
const client = fc.nat({ max: clientCount - 1 });
const from = fc.nat({ max: 1 });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('send' as const),
      from,
      kind: fc.constantFrom<MessageKind>('template', 'template', 'buttons', 'carousel'),
      clients: fc.shuffledSubarray([...Array(clientCount).keys()], { minLength: 1 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('write' as const),
      from,
      client,
      // How late it becomes known.
      ago: fc.constantFrom(0, 0, 0, 1, SECOND, MINUTE, HOUR, DAY - 1, DAY),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('wait' as const),
      time: fc.constantFrom(1, SECOND, MINUTE, HOUR, DAY / 2, DAY - MINUTE, DAY - 1, DAY, DAY + 1, 20 * DAY),
    }),
  },
);

/** What the rules' tables have to agree on at any time. */
async function assertMinutes({ accountId, portfolioId }: ChatNumber): Promise<void> {
  const before = Math.floor(clock.now() / MINUTE) - 1_440;
  const rows = await sql`
    SELECT minute, sum(n)::int AS difference FROM (
      SELECT minute, clients AS n FROM chat_reach
      WHERE account_id = ${accountId} AND portfolio_id = ${portfolioId} AND minute < ${OTHERS_MINUTE}
      UNION ALL
      SELECT minute, -1 FROM chat_reached WHERE account_id = ${accountId} AND portfolio_id = ${portfolioId}
    ) every WHERE minute > ${before} GROUP BY minute HAVING sum(n) <> 0`;
  assert.deepEqual([...rows], []);
}

/** A minute that is never over: clients in it stand for all the others of the tier. */
const OTHERS_MINUTE = 2_000_000_000;

test(
  'steps of sends, messages of clients and time, in any order, come to what the rules say',
  covers('windows.all'),
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 30 }),
        fc.nat({ max: 4 }),
        fc.nat({ max: 6 }),
        async (steps, places, free) => {
          const first = await bench.newNumber();
          const numbers = [first, await bench.newNumber(undefined, first)] as const;
          const { accountId, portfolioId } = first;
          const clients = newClients(clientCount);
          const month = monthOf(clock.now(), ZONE);
          const model = new Model(TIER - places, month, FREE - free);
          await sql`
          INSERT INTO chat_reach (account_id, portfolio_id, minute, clients)
          VALUES (${accountId}, ${portfolioId}, ${OTHERS_MINUTE}, ${TIER - places})`;
          await sql`
          INSERT INTO chat_months (account_id, month, messages) VALUES (${accountId}, ${month}, ${FREE - free})`;
          for (const step of steps) {
            if (step.does === 'wait') {
              clock.advance(step.time);
              continue;
            }
            const number = numbers[step.from]!;
            if (step.does === 'write') {
              const at = clock.now() - step.ago;
              await bench.writes(number, clients[step.client]!, at);
              model.writes(number.phone, clients[step.client]!, at);
              continue;
            }
            const some = step.clients.map((index) => clients[index]!);
            const admissions = await bench.admitted(number, some, { kind: step.kind });
            assert.deepEqual(
              admissions,
              some.map((client) => model.send(number.phone, client, step.kind, clock.now())),
            );
            await assertMinutes(first);
          }
        },
      ),
      { numRuns: 150 },
    );
  },
);
