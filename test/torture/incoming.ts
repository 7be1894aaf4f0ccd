import { createHmac } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { freePort } from '../../bench/support/wait.ts';
import type { Sql } from '../../server/database/connection.ts';
import { mailAt, newAddress, v1At } from '../channels/mail/campaign-support.ts';
import { Relay } from '../channels/mail/relay.ts';
import { createDatabase } from '../support/database.ts';
import { databaseUrl, Installation, type Program } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import type { MachineOptions, MachineResult } from './machine.ts';
import { random, shuffled } from './random.ts';

/*
 * Messages from clients while the two processes that receive them are killed: the chat platform and mail servers deliver
 * each message twice, in any order, to either process, and repeat it until it is accepted. At the end each message must
 * exist once, in its conversation, and every client who unsubscribed must be blocked.
 */

const SECRET = 'the secret of the app';
const NUMBER = '972550000055';
const [BUSINESS, NUMBER_ID] = ['4005', '5005'];
const WORKERS = 6;
const COPIES = 2;
const CHAT_CLIENTS = 24;
const MAIL_CLIENTS = 8;
const MESSAGES = 3;
/** A start, on a machine that is busy. */
const BACK_MS = 180_000;

/** A delivery that is repeated until it is accepted; it throws or returns false when it was not. */
type Delivery = (program: Running) => Promise<boolean>;

interface Running extends Program {
  readonly bouncePort: number;
}

/** Expected data of a client at the end. */
interface Expected {
  /** Names of the client: the number or address, and the id of one who hides it. */
  readonly names: readonly string[];
  readonly written: number;
  readonly echoes: number;
  readonly isBlocked: boolean;
  readonly isStopped: boolean;
}

/** A run: rounds of deliveries with kills, and the expected results. */
class Incoming {
  kills = 0;
  readonly failures: string[] = [];
  readonly #chance: () => number;
  readonly #installation: Installation;
  readonly #sql: Sql;
  readonly #relay: Relay;
  readonly #ports: readonly number[];
  readonly #programs: Running[] = [];
  readonly #expected: Expected[] = [];
  #account: { id: number; token: string } | undefined;
  #brought = 0;
  #clients = 0;

  constructor(options: {
    installation: Installation;
    sql: Sql;
    relay: Relay;
    ports: readonly number[];
    chance: () => number;
  }) {
    this.#installation = options.installation;
    this.#sql = options.sql;
    this.#relay = options.relay;
    this.#ports = options.ports;
    this.#chance = options.chance;
  }

  async start(): Promise<void> {
    for (const port of this.#ports) this.#programs.push(await this.#startOne(port));
    const account = await this.#installation.account(this.#programs[0]!.url, 'written-to', 100_000);
    this.#account = account;
    const portfolio = ['--platform-id', BUSINESS, '--token', 'token'];
    const { id } = await this.#installation.command<{ id: number }>(
      ...(['chat-portfolio', 'add', 'written-to', 'Test', ...portfolio] as const),
    );
    const number = ['--portfolio', String(id), '--platform-id', NUMBER_ID];
    await this.#installation.command('chat-number', 'add', 'written-to', NUMBER, ...number);
    // A process reloads the numbers every second.
    for (const { url } of this.#programs) {
      await waitFor('the number is known', async () => {
        const headers = { authorization: `Bearer ${account.token}` };
        const response = await fetch(`${url}/v1/chat/numbers`, { headers });
        const { portfolios } = (await response.json()) as { portfolios?: { numbers: object[] }[] };
        return portfolios?.[0]?.numbers.length === 1;
      });
    }
  }

  /** Delivers the messages of a round of new clients, and kills a process `kills` times during it. */
  async round(kills: number): Promise<void> {
    const deliveries = [...this.#chat(), ...(await this.#mails())];
    const queue = shuffled(Array.from({ length: COPIES }, () => deliveries).flat(), this.#chance);
    const all = queue.length;
    const workers = Array.from({ length: WORKERS }, async () => {
      for (let next = queue.pop(); next; next = queue.pop()) await this.#bring(next);
    });
    for (let kill = 1; kill <= kills; kill++) {
      await waitFor('messages are being taken', () => all - queue.length >= (all * kill) / (kills + 1));
      const which = Math.floor(this.#chance() * this.#programs.length);
      const killed = this.#programs[which]!;
      await killed.kill();
      this.kills++;
      this.#programs[which] = await this.#startOne(killed.bouncePort);
    }
    await Promise.all(workers);
  }

  async prove(): Promise<MachineResult> {
    const fail = (what: string) => this.failures.push(what);
    for (const expected of this.#expected) await this.#proveOne(expected, fail);
    const [counts] = await this.#sql<{ rows: number; ids: number; mails: number; open: number }[]>`
      SELECT (SELECT count(*)::int FROM chat_incoming) AS rows,
        (SELECT count(DISTINCT platform_id)::int FROM chat_incoming) AS ids,
        (SELECT count(*)::int FROM mail_incoming) AS mails, (SELECT count(*)::int FROM conversations) AS open`;
    if (counts!.rows !== counts!.ids) fail(`${counts!.rows - counts!.ids} chat messages are stored twice`);
    return {
      rows: {
        kills: this.kills,
        deliveries: this.#brought,
        'chat messages': counts!.rows,
        mails: counts!.mails,
        conversations: counts!.open,
      },
      failures: this.failures,
    };
  }

  async stop(): Promise<void> {
    for (const program of this.#programs) await program.kill();
  }

  async #startOne(bouncePort: number): Promise<Running> {
    const program = await this.#installation.start({
      args: ['serve'],
      ready: false,
      limitMs: BACK_MS,
      environment: { MAIL_BOUNCE_PORT: String(bouncePort) },
    });
    return { ...program, bouncePort };
  }

  /** Repeats a delivery until it is accepted. */
  async #bring(delivery: Delivery): Promise<void> {
    for (;;) {
      const program = this.#programs[Math.floor(this.#chance() * this.#programs.length)]!;
      const isTaken = await delivery(program).catch(() => false);
      if (isTaken) break;
      // Killed, or it does not listen yet.
      await waitFor('another look', () => performance.now() % 3 < 2);
    }
    this.#brought++;
  }

  /** Messages of chat clients, messages that the business sent them from its phone, and stops of marketing messages. */
  #chat(): Delivery[] {
    return Array.from({ length: CHAT_CLIENTS }, () => {
      const n = this.#clients++;
      const phone = `97250${String(2_000_000 + n)}`;
      const userId = `IL.${1_000_000 + n}`;
      const [isHidden, isRevealed, stops, hasEcho] = [n % 2 === 0, n % 4 === 0, n % 3 === 0, n % 5 === 1];
      const from: object = isHidden ? { from_user_id: userId } : { from: phone };
      const echoes = !isHidden && hasEcho ? 1 : 0;
      const written = MESSAGES + (isRevealed ? 1 : 0);
      const names = [isHidden && !isRevealed ? userId : phone, ...(isRevealed ? [userId] : [])];
      const isBlocked = stops && (!isHidden || isRevealed);
      this.#expected.push({ names, written, echoes, isBlocked, isStopped: stops && isHidden && !isRevealed });
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const text = (id: string) => ({
        id: `wamid.${n}.${id}`,
        timestamp,
        type: 'text',
        text: { body: `Hello ${id}` },
      });
      const messages: object[] = Array.from({ length: MESSAGES }, (_, index) => ({
        ...from,
        ...text(String(index)),
      }));
      if (isRevealed) messages.push({ from: phone, from_user_id: userId, ...text('known') });
      const preference = {
        ...(isHidden ? { user_id: userId } : { wa_id: phone }),
        ...{ category: 'marketing_messages', value: 'stop', timestamp },
      };
      return [
        ...messages.map((message) => notification('messages', { messages: [message] })),
        ...(echoes
          ? [
              notification('smb_message_echoes', {
                message_echoes: [{ from: NUMBER, to: phone, ...text('echo') }],
              }),
            ]
          : []),
        ...(stops ? [notification('user_preferences', { user_preferences: [preference] })] : []),
      ];
    }).flat();
  }

  /** Replies to the emails of a campaign. */
  async #mails(): Promise<Delivery[]> {
    const mail = mailAt(v1At(this.#programs[0]!.url, this.#account!.token));
    const addresses = Array.from({ length: MAIL_CLIENTS }, () => newAddress('incoming'));
    await mail.send([await mail.list(addresses.map((email) => ({ email })))]);
    const replyTo = await waitFor(
      'the mails have gone out',
      () => {
        const found = new Map(
          this.#relay.taken.map(({ to, raw }) => [to, /^Reply-To:\s+(\S+)/m.exec(raw)?.[1] ?? '']),
        );
        return addresses.every((address) => found.has(address)) && found;
      },
      BACK_MS,
    );
    return addresses.flatMap((address) => {
      const written = MESSAGES;
      this.#expected.push({ names: [address], written, echoes: 0, isBlocked: false, isStopped: false });
      return Array.from({ length: MESSAGES }, (_, index) => answer(address, replyTo.get(address)!, index));
    });
  }

  async #proveOne({ names, written, echoes, isBlocked, isStopped }: Expected, fail: (what: string) => void) {
    const sql = this.#sql;
    const [row] = await sql<
      {
        written: number;
        echoes: number;
        unread: number;
        conversations: number;
        blocked: number;
        stopped: number;
        behind: number;
      }[]
    >`
      SELECT
        (SELECT count(*)::int FROM chat_incoming WHERE client = ANY(${names}::text[]) AND NOT is_echo)
          + (SELECT count(*)::int FROM mail_incoming WHERE client = ANY(${names}::text[])) AS written,
        (SELECT count(*)::int FROM chat_incoming WHERE client = ANY(${names}::text[]) AND is_echo) AS echoes,
        (SELECT coalesce(sum(unread), 0)::int FROM conversations WHERE client = ANY(${names}::text[])) AS unread,
        (SELECT count(*)::int FROM conversations WHERE client = ANY(${names}::text[])) AS conversations,
        (SELECT count(*)::int FROM blacklist WHERE phone = ANY(${names}::text[])) AS blocked,
        (SELECT count(*)::int FROM chat_stops WHERE user_id = ANY(${names}::text[]) AND is_stopped) AS stopped,
        (SELECT count(*)::int FROM conversations c WHERE c.client = ANY(${names}::text[]) AND c.last_id < greatest(
          (SELECT max(id) FROM chat_incoming i WHERE i.client = c.client),
          (SELECT max(id) FROM mail_incoming i WHERE i.client = c.client))) AS behind`;
    const found = row!;
    const check = (what: string, is: number, should: number) => {
      if (is !== should) fail(`${names[0]}: ${what} ${is}, not ${should}`);
    };
    check('messages', found.written, written);
    check('echoes', found.echoes, echoes);
    // A message sent from the business's phone marks earlier messages as read.
    if (echoes === 0) check('unread', found.unread, written);
    check('conversations that know an older message as their last', found.behind, 0);
    check('entries of the blacklist', found.blocked, isBlocked ? 1 : 0);
    check('stops', found.stopped, isStopped ? 1 : 0);
    if (found.conversations < 1 || found.conversations > names.length) {
      fail(`${names[0]}: ${found.conversations} conversations`);
    }
  }
}

function notification(field: string, value: object): Delivery {
  const metadata = { display_phone_number: NUMBER, phone_number_id: NUMBER_ID };
  const change = { field, value: { messaging_product: 'whatsapp', metadata, ...value } };
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: BUSINESS, time: Math.floor(Date.now() / 1_000), changes: [change] }],
  });
  const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
  return async ({ url }) => {
    const headers = { 'x-hub-signature-256': signature };
    return (await fetch(`${url}/chat-webhooks`, { method: 'POST', body, headers })).ok;
  };
}

function answer(from: string, to: string, index: number): Delivery {
  return async ({ bouncePort: port }) => {
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    try {
      const messageId = `<answer-${index}-${from}>`;
      await transport.sendMail({ from, to, subject: 'Re: Hello', messageId, text: `Answer ${index}` });
      return true;
    } finally {
      transport.close();
    }
  };
}

export async function runIncoming(options: MachineOptions): Promise<MachineResult> {
  const { sql, target } = await createDatabase();
  const relay = new Relay();
  await relay.open();
  const ports = [await freePort(), await freePort()];
  const installation = new Installation({
    DATABASE_URL: databaseUrl(target),
    MAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}`,
    MAIL_INBOUND_DOMAIN: 'in.shop.example',
    CHAT_APP_SECRET: SECRET,
    CHAT_VERIFY_TOKEN: 'the token of the app',
    // Nothing is sent by chat.
    CHAT_PLATFORM_URL: 'http://127.0.0.1:9',
  });
  const incoming = new Incoming({ installation, sql, relay, ports, chance: random(options.seed) });
  try {
    await incoming.start();
    const goal = options.goal ?? Number.POSITIVE_INFINITY;
    // After a failure, the messages delivered so far are still verified.
    const failed: string[] = [];
    while (failed.length === 0 && incoming.kills < goal && !options.isOver()) {
      const left = Math.min(goal - incoming.kills, 2);
      await incoming.round(left).catch((error: Error) => failed.push(error.stack ?? error.message));
      options.progress?.(`${incoming.kills} kills`);
    }
    const { rows, failures } = await incoming.prove();
    return { rows, failures: [...failed, ...failures] };
  } finally {
    await incoming.stop();
  }
}
