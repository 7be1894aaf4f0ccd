import assert from 'node:assert/strict';
import {
  type Admission,
  type AdmitRequest,
  admit,
  CHAT_PRICES,
} from '../../../server/channels/chat/admit.ts';
import { type ChatNumber, ChatNumbers } from '../../../server/channels/chat/business-numbers.ts';
import { clientsWrote, type MessageKind, readWindow } from '../../../server/channels/chat/windows.ts';
import type { TransactionSql } from '../../../server/database/connection.ts';
import { createIdSource } from '../../../server/kit/ids.ts';
import { createNumberReader } from '../../../server/kit/numbers/phone-numbers.ts';
import { type Account, Accounts } from '../../../server/modules/accounts/accounts.ts';
import { CREDIT } from '../../../server/modules/accounts/money.ts';
import { Prices } from '../../../server/modules/accounts/prices.ts';
import { moveWallet, Wallets } from '../../../server/modules/accounts/wallets.ts';
import { assertBooksBalance } from '../../support/books.ts';
import { atEnd, createDatabase } from '../../support/database.ts';
import { secrets } from '../../support/secrets.ts';

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;
export const ZONE = 'Asia/Jerusalem';

/** A clock that stands still until it is moved. */
export class StoppedClock {
  time: number;

  constructor(time: number) {
    this.time = time;
  }

  now(): number {
    return this.time;
  }

  advance(milliseconds: number): void {
    this.time += milliseconds;
  }
}

/** What `admitted` may say beside the clients. */
type Wanted = Partial<Pick<AdmitRequest, 'now' | 'zone'>> & {
  readonly kind?: MessageKind;
  readonly forgetUnansweredMs?: number;
  /** What else is done in the transaction. */
  readonly also?: (tx: TransactionSql, admissions: readonly Admission[]) => Promise<unknown>;
};

export type ChatBench = Awaited<ReturnType<typeof createChatBench>>;

/** The modules that admissions stand on, on a database of their own, with a clock that a test moves. */
export async function createChatBench() {
  const { sql } = await createDatabase();
  atEnd(() => assertBooksBalance(sql));
  // Half past a minute, so that minutes and 24 hours do not end together.
  const clock = new StoppedClock(Math.floor(Date.now() / MINUTE) * MINUTE + 30 * SECOND);
  const ids = createIdSource(1, clock);
  const accounts = new Accounts(sql, ids, clock);
  const wallets = new Wallets(sql, ids, clock);
  const prices = new Prices(sql, { [CHAT_PRICES]: '1' });
  const numbers = new ChatNumbers({ sql, ids, clock, secrets });
  const reader = createNumberReader('IL');
  let made = 0;

  async function newAccount(credits = 1_000): Promise<Account> {
    const account = await accounts.create({ username: `chat-account-${++made}`, name: 'Account' });
    if (credits > 0) await wallets.topUp(account.id, credits * CREDIT, 'test');
    return account;
  }

  /** A business number of a portfolio of its own, or of the same one as `beside`. */
  async function newNumber(accountId?: number, beside?: ChatNumber): Promise<ChatNumber> {
    const owner = beside?.accountId ?? accountId ?? (await newAccount()).id;
    made++;
    const portfolioId =
      beside?.portfolioId ??
      (
        await numbers.createPortfolio({
          accountId: owner,
          name: 'Portfolio',
          tier: 250,
          platformId: `business-${made}`,
          accessToken: 'token',
        })
      ).id;
    return numbers.addNumber({
      phone: `97255${String(1_000_000 + made)}`,
      accountId: owner,
      portfolioId,
      name: 'Shop',
      platformId: `number-${made}`,
      messagesPerSecond: 80,
    });
  }

  /** Admits a message to each of the clients, in a transaction of its own. */
  async function admitted(
    number: ChatNumber,
    clients: readonly string[],
    { kind = 'template', forgetUnansweredMs = 0, also, ...when }: Wanted = {},
  ): Promise<Admission[]> {
    const priceOf = await prices.of(number.accountId, CHAT_PRICES);
    const request = { number, clients, kind, now: clock.now(), zone: ZONE, ...when };
    return sql.begin(async (tx) => {
      const admissions = await admit(tx, { priceOf, forgetUnansweredMs }, request);
      await also?.(tx, admissions);
      return admissions;
    });
  }

  return {
    sql,
    clock,
    ids,
    accounts,
    wallets,
    prices,
    numbers,
    reader,
    newAccount,
    newNumber,
    admitted,
    /** Admits a message to one client. */
    async admitOne(number: ChatNumber, client: string, wanted: Wanted = {}): Promise<Admission> {
      const [admission] = await admitted(number, [client], wanted);
      return admission!;
    },
    /** Pays for what was admitted, for `also`. */
    pay:
      ({ accountId }: ChatNumber) =>
      async (tx: TransactionSql, admissions: readonly Admission[]) => {
        const amount = -admissions.reduce((sum, { price }) => sum + price, 0);
        if (amount < 0) await moveWallet(tx, ids, clock.now(), accountId, [{ kind: 'charge', amount }]);
      },
    /** A client writes to a business number. */
    writes: (number: ChatNumber, client: string, at = clock.now()) =>
      sql.begin((tx) =>
        clientsWrote(tx, [{ accountId: number.accountId, number: number.phone, client, at }]),
      ),
    window: (number: ChatNumber, client: string) => readWindow(sql, number, client),
  };
}

let lastClient = 972_501_000_000;

/** E.164 digits of a client that no other test of the file uses. */
export const newClient = (): string => String(++lastClient);

/** As many as asked for, in the order of their phones. */
export const newClients = (count: number): string[] => Array.from({ length: count }, newClient);

/** A random order, of any texts. */
export function shuffled(texts: readonly string[], random = Math.random): string[] {
  return texts
    .map((text) => ({ text, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ text }) => text);
}

/** Checks the problem of an admission, and that what is refused costs nothing. */
export function assertProblem({ problem, price }: Admission, expected: Admission['problem']): void {
  assert.equal(problem, expected);
  if (expected) assert.equal(price, 0);
}
