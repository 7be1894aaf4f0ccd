import assert from 'node:assert/strict';
import { withToken } from '../api/v1/calls.ts';
import type { Dispatching } from '../engine/dispatch/support.ts';
import type { Receiver } from '../engine/events/support.ts';
import { type Caller, call, type Network, phone } from '../faults/support.ts';
import { assertBooksBalance } from '../support/books.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * One account that runs every operation that changes the books: sends, bulks, lists, codes, campaigns that are paused,
 * resumed and cancelled, transfers, incoming messages, webhooks. Each step is repeated until it succeeds; a refused attempt
 * must have changed nothing, and the result of a successful one must exist.
 */

const CREDITS = 1_000;
const TRIES = 60;
/** Longer than the lease of a batch. */
const LEASE_MS = 31_000;
/** Answers of the network to messages to numbers with this ending, refused for good. */
export const REFUSED_ENDING = '77';
export const REFUSED_STATUS = 0x0b;

let phones = 0;
/** Returns unused numbers; the network refuses those made with `refused`. */
function next(count: number, refused = false): string[] {
  return Array.from({ length: count }, () => {
    do phones++;
    while (phone(phones).endsWith(REFUSED_ENDING) !== refused || /000[1-7]$/.test(phone(phones)));
    return phone(phones);
  });
}

export interface World {
  readonly service: Dispatching;
  readonly network: Network;
  readonly receiver: Receiver;
}

interface Attempt {
  readonly succeeded: boolean;
  /** The answer, for the reader of a failure. */
  readonly said: string;
}

export class Scenario {
  readonly #world: World;
  readonly #account: Caller & { id: number };
  readonly #subscriber: Caller & { id: number };
  readonly #hook: string;
  /** The number that phones write to. */
  readonly #own = next(1)[0]!;
  /** Numbers that every message was accepted to, and that it has to arrive at. */
  readonly #wanted = new Set<string>();
  /** Numbers whose messages the network refused and the service refunded. */
  readonly #refused = new Set<string>();
  #transferred = 0;
  readonly #log: string[] = [];

  private constructor(world: World, account: Caller & { id: number }, subscriber: Caller & { id: number }) {
    this.#world = world;
    this.#account = account;
    this.#subscriber = subscriber;
    this.#hook = `/push/${account.username}`;
  }

  /** Makes the account, with nothing failing yet. */
  static async prepare(world: World, name: string): Promise<Scenario> {
    const { service, receiver } = world;
    const account = await service.account(name, CREDITS);
    const { accounts, tokens, sources } = service.appContext;
    const { id } = await accounts.create({ username: `${name}-sub`, name, parentId: account.id });
    const { token } = await tokens.mint(id);
    const scenario = new Scenario(world, account, { id, username: `${name}-sub`, token });
    await sources.approve(account.id, scenario.#own, { incoming: true });
    const url = new URL(scenario.#hook, receiver.url).href;
    await withToken(service.url, account.token).post('/webhooks', { url });
    return scenario;
  }

  /** Does it all. Throws AssertionError for an answer that is not true. */
  async run(): Promise<void> {
    await this.#sends();
    await this.#lists();
    await this.#campaigns();
    await this.#transfers();
    await this.#codes();
    await this.#incoming();
  }

  /** Waits until all is final, and holds what there is against what was answered. */
  async verify(): Promise<void> {
    const { service, network, receiver } = this.#world;
    const { sql, clock } = service;
    const { id } = this.#account;
    let looks = 0;
    await waitFor(
      'every message is final and told of',
      async () => {
        // A claim whose response was lost blocks its rows until the lease expires.
        if (++looks % 100 === 0) {
          clock.advance(LEASE_MS);
          await sql`UPDATE work SET lease_until = 0 WHERE account_id = ${id}`;
        }
        const [row] = await sql<{ open: boolean }[]>`
          SELECT EXISTS (SELECT FROM messages WHERE account_id = ${id} AND final_at IS NULL)
            OR EXISTS (SELECT FROM dispatch_batches WHERE account_id = ${id})
            OR EXISTS (SELECT FROM campaigns WHERE account_id = ${id} AND next_at IS NOT NULL)
            OR EXISTS (SELECT FROM deliveries WHERE account_id = ${id} AND state = 'retrying')
            OR EXISTS (SELECT FROM event_queue WHERE account_id = ${id}) AS open`;
        return !row!.open;
      },
      60_000,
    ).catch(async (error: Error) => {
      throw new assert.AssertionError({ message: `${error.message}: ${await this.#leftOver()}` });
    });
    const messages = await sql<
      { id: number; phone: string; status: number; handed: boolean; cancelled: boolean }[]
    >`
      SELECT id, recipient AS phone, status, handed_at IS NOT NULL AS handed, code = 'CANCELLED' AS cancelled FROM messages
      WHERE account_id = ${id}`;
    const found = messages.filter(({ cancelled }) => !cancelled).map(({ phone }) => phone);
    assert.deepEqual(found.sort(), [...this.#wanted, ...this.#refused].sort(), this.#history());
    for (const { phone, status, cancelled } of messages) {
      const taken = network.taken.get(phone) ?? 0;
      const isSent = this.#wanted.has(phone);
      assert.equal(taken, isSent ? 1 : 0, `${phone} was sent to ${taken} times\n${this.#history()}`);
      if (!cancelled) assert.equal(status, isSent ? 102 : 101, `${phone} has status ${status}`);
    }
    const [wallet] = await sql<{ balance: number }[]>`
      SELECT balance::float AS balance FROM wallets WHERE account_id = ${id}`;
    const paid = messages.filter(({ handed }) => handed).length;
    assert.equal(wallet!.balance, CREDITS - this.#transferred - paid, this.#history());
    await assertBooksBalance(sql);
    const told = new Set(
      receiver.received
        .filter(({ path }) => path === this.#hook)
        .map(({ body }) => JSON.parse(body) as { type: string; data: { message_id?: string } })
        .filter(({ type }) => type === 'message.status')
        .map(({ data }) => Number(data.message_id)),
    );
    for (const message of messages) {
      if (message.cancelled) continue;
      assert.ok(told.has(message.id), `nobody was told of ${message.id} (${message.status})`);
    }
    const quarantined = await sql`SELECT FROM quarantine WHERE account_id = ${id}`;
    assert.equal(quarantined.length, 0, 'in quarantine');
  }

  async #leftOver(): Promise<string> {
    const { sql } = this.#world.service;
    const { id } = this.#account;
    const rows = await Promise.all([
      sql`SELECT id, recipient AS phone, status, handed_at, batch_id FROM messages WHERE account_id = ${id} AND final_at IS NULL`,
      sql`SELECT * FROM dispatch_batches WHERE account_id = ${id}`,
      sql`SELECT id, next_at FROM campaigns WHERE account_id = ${id}`,
      sql`SELECT * FROM work WHERE account_id = ${id}`,
      sql`SELECT * FROM event_queue WHERE account_id = ${id}`,
      sql`SELECT * FROM deliveries WHERE account_id = ${id} AND state = 'retrying'`,
    ]);
    return JSON.stringify(rows).slice(0, 2_000);
  }

  #history(): string {
    return this.#log.join('\n');
  }

  /**
   * Repeats an operation until it succeeds. The result of a refused attempt must not exist (`isThere`), and the result of a
   * successful one must.
   */
  async #must(
    name: string,
    attempt: (isFirst: boolean) => Promise<{ answer: Attempt; isThere?: () => Promise<boolean> }>,
  ): Promise<void> {
    for (let tries = 1; tries <= TRIES; tries++) {
      const { answer, isThere } = await attempt(tries === 1);
      this.#log.push(`${name}: ${answer.said}`);
      if (isThere) {
        const there = await isThere();
        assert.equal(there, answer.succeeded, `${name}: answered ${answer.said}\n${this.#history()}`);
      }
      if (answer.succeeded) return;
    }
    assert.fail(`${name} did not succeed in ${TRIES} tries\n${this.#history()}`);
  }

  async #call(root: string, content: object) {
    const { http, ...answer } = await call(this.#world.service.url, this.#account, root, content);
    assert.equal(http, 200, `${root}: HTTP ${http} ${answer.message}`);
    const succeeded = answer.status === 0;
    if (!succeeded) assert.equal(answer.status, 6, `${root}: ${answer.status} ${answer.message}`);
    return { ...answer, succeeded, said: `${answer.status} ${answer.message}` };
  }

  async #v1(method: string, path: string, body?: object) {
    const calls = withToken(this.#world.service.url, this.#account.token);
    const response = await calls.fetch(method, path, body);
    const text = await response.text();
    const succeeded = response.ok;
    if (!succeeded) assert.equal(response.status, 503, `${path}: HTTP ${response.status} ${text}`);
    return { succeeded, said: `${response.status} ${text.slice(0, 100)}`, json: JSON.parse(text) };
  }

  /** Whether messages to all of these are stored; asserts that it is all or none. */
  async #stored(numbers: readonly string[]): Promise<boolean> {
    const [row] = await this.#world.service.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM messages WHERE account_id = ${this.#account.id} AND recipient IN ${this.#world.service.sql(numbers)}`;
    assert.ok([0, numbers.length].includes(row!.count), `${row!.count} of ${numbers.length} are stored`);
    return row!.count > 0;
  }

  async #send(name: string, count: number, more: (phones: readonly string[]) => object, refused = false) {
    await this.#must(name, async () => {
      const numbers = next(count, refused);
      const content = more(numbers);
      const answer = await this.#call(
        'sms' in content ? 'bulk' : 'sms',
        'sms' in content ? { messages: content } : content,
      );
      if (answer.succeeded)
        for (const number of numbers) (refused ? this.#refused : this.#wanted).add(number);
      return { answer, isThere: () => this.#stored(numbers) };
    });
  }

  async #sends(): Promise<void> {
    const text = (phones: readonly string[]) => ({
      source: 'Shop',
      message: 'Hello',
      destinations: { phone: phones },
    });
    await this.#send('a single', 1, text);
    await this.#send('three', 3, text);
    await this.#send('one that the network refuses', 1, text, true);
    await this.#send('with a link', 1, (phones) => ({
      ...text(phones),
      message: 'Look: [link-1]',
      links: { link: [{ $: { id: '1' }, _: 'https://example.com/' }] },
    }));
    await this.#send('with temp_bl', 1, (phones) => ({ ...text(phones), temp_bl: 3 }));
    await this.#send('a bulk', 2, (phones) => ({ sms: phones.map((number) => text([number])) }));
  }

  async #newList(count: number): Promise<{ id: string; numbers: string[] }> {
    let made: { id: string; numbers: string[] } | undefined;
    const { sql } = this.#world.service;
    await this.#must('a contact list', async () => {
      const numbers = next(count);
      const name = `list ${numbers[0]}`;
      const answer = await this.#call('newCL', {
        cl: {
          name,
          destinations: { destination: numbers.map((number) => ({ phone: number, df1: 'Dana' })) },
        },
      });
      if (answer.succeeded)
        made = { id: (answer as unknown as { identifiers: string[] }).identifiers[0]!, numbers };
      return {
        answer,
        isThere: async () => {
          const rows = await sql<{ count: number }[]>`
            SELECT count FROM contact_lists WHERE account_id = ${this.#account.id} AND name = ${name} AND removed_at IS NULL`;
          return rows.length === 1 && rows[0]!.count === count;
        },
      };
    });
    return made!;
  }

  async #toList(id: string, more: object = {}) {
    let shipment = 0;
    const { sql } = this.#world.service;
    await this.#must('a send to a list', async () => {
      const name = `campaign ${next(1)[0]}`;
      const content = {
        source: 'Shop',
        message: 'Hello [df1]',
        add_dynamic: 1,
        destinations: { cl_id: id },
        campaign_name: name,
        ...more,
      };
      const answer = await this.#call('sms', content);
      shipment = Number(answer.shipment_id);
      return {
        answer,
        isThere: async () => {
          const rows = await sql`
            SELECT FROM shipments WHERE account_id = ${this.#account.id} AND campaign_name = ${name}`;
          return rows.length === 1;
        },
      };
    });
    return shipment;
  }

  async #lists(): Promise<void> {
    const { sql } = this.#world.service;
    const { id, numbers } = await this.#newList(4);
    const [more] = next(1);
    const isIn = async () => {
      const rows =
        await sql`SELECT FROM contacts WHERE account_id = ${this.#account.id} AND phone = ${more!}`;
      return rows.length > 0;
    };
    await this.#must('a contact more', async () => {
      const answer = await this.#call('addNumCL', {
        cl: { id, destinations: { destination: { phone: more, df1: 'Noa' } } },
      });
      return { answer, isThere: isIn };
    });
    await this.#toList(id);
    for (const number of [...numbers, more!]) this.#wanted.add(number);
  }

  async #campaigns(): Promise<void> {
    const { sql, clock } = this.#world.service;
    const state = async (id: number) => {
      const [row] = await sql<{ state: number; paused: boolean }[]>`
        SELECT state, paused_at IS NOT NULL AS paused FROM shipments
        WHERE account_id = ${this.#account.id} AND id = ${id}`;
      return row!;
    };
    const at = new Date(clock.now() + 3_600_000);
    const two = (n: number) => String(n).padStart(2, '0');
    const local = new Date(at.toLocaleString('en-US', { timeZone: 'Asia/Jerusalem' }));
    const timing = `${two(local.getDate())}/${two(local.getMonth() + 1)}/${two(local.getFullYear() % 100)} ${two(local.getHours())}:${two(local.getMinutes())}`;
    const { id, numbers } = await this.#newList(3);
    const gone = await this.#toList(id, { timing });
    await this.#must('cancel', async () => {
      const answer = await this.#call('cancel', { campaign_id: gone });
      return { answer, isThere: async () => (await state(gone)).state === 2 };
    });
    const shipment = await this.#toList(id, { timing });
    await this.#must('pause', async () => {
      const answer = await this.#v1('POST', `/shipments/${shipment}/pause`);
      // Repeating it is safe: a refused request may have been executed.
      if (answer.succeeded) assert.equal((await state(shipment)).paused, true);
      return { answer };
    });
    await this.#must('resume', async () => {
      const answer = await this.#v1('POST', `/shipments/${shipment}/resume`);
      if (answer.succeeded) assert.equal((await state(shipment)).paused, false);
      return { answer };
    });
    clock.advance(3_700_000);
    for (const number of numbers) this.#wanted.add(number);
  }

  async #transfers(): Promise<void> {
    const { sql } = this.#world.service;
    const balance = async () => {
      const [row] = await sql<{ balance: number }[]>`
        SELECT balance::float AS balance FROM wallets WHERE account_id = ${this.#subscriber.id}`;
      return row?.balance ?? 0;
    };
    await this.#must('a transfer', async () => {
      const body = { username: this.#subscriber.username, amount: '7' };
      const answer = await this.#v1('POST', '/wallet/transfer', body);
      if (answer.succeeded) this.#transferred += 7;
      return { answer, isThere: async () => (await balance()) === 7 };
    });
    await this.#must('a change of credit', async () => {
      const userDetails = { username: this.#subscriber.username, amount: 5 };
      const answer = await this.#call('updateAmountSub', { userDetails });
      if (answer.succeeded) this.#transferred += 5;
      return { answer, isThere: async () => (await balance()) === 12 };
    });
  }

  async #codes(): Promise<void> {
    await this.#must('a code', async () => {
      const [number] = next(1);
      const answer = await this.#call('send_otp', { phone: number, source: 'Shop' });
      if (answer.succeeded) this.#wanted.add(number!);
      return { answer, isThere: () => this.#stored([number!]) };
    });
    const { sql } = this.#world.service;
    const [number] = next(1);
    await this.#must('a number on the blacklist', async () => {
      const { http, status, message } = await call(this.#world.service.url, this.#account, 'addNumBL', {
        phones: { phone: number },
      });
      assert.equal(http, 200);
      const answer = { succeeded: status === 946, said: `${status} ${message}` };
      assert.ok(answer.succeeded || status === 6, answer.said);
      return {
        answer,
        isThere: async () => {
          const rows =
            await sql`SELECT FROM blacklist WHERE account_id = ${this.#account.id} AND phone = ${number!}`;
          return rows.length > 0;
        },
      };
    });
  }

  /** A phone sends a message: it must be stored once, and acknowledged after that. */
  async #incoming(): Promise<void> {
    const { network, service } = this.#world;
    const { sql } = service;
    const [from] = next(1);
    network.smsc.sendFromPhone({ from: from!, to: this.#own, text: 'STOP' });
    await waitFor(
      'the message is kept',
      async () => {
        const rows = await sql`SELECT FROM incoming WHERE source = ${from!}`;
        return rows.length > 0;
      },
      40_000,
    );
  }
}
