import assert from 'node:assert/strict';
import { boundEsme, type Esme, receiptOf, type SmppService, startSmppService } from '../api/smpp/support.ts';
import { newPhone, stored } from '../support/phones.ts';
import { waitFor } from '../support/wait-for.ts';
import type { MachineOptions, MachineResult } from './machine.ts';
import { random } from './random.ts';

/*
 * Clients of the SMPP server bind, submit, cancel, replace, refuse receipts and disconnect in any order. The model knows every
 * id that a client got: in the end each message has arrived once, each wanted receipt has been acknowledged once, and the wallet
 * has paid for what arrived.
 */

const STEPS = 40;
const MOST_BINDS = 4;
const TOMORROW = '000001000000000R';
/** Seconds that parts wait for the others. */
const PART_SECONDS = 60;
/** Seconds by which the clock moves on, until nothing waits. */
const SETTLE_STEP = 120;

type Stat = 'DELIVRD' | 'DELETED' | 'EXPIRED';

/** A message, or part of one, that the server has accepted. */
interface Accepted {
  readonly registered: number;
  /** State that its receipt has. */
  stat: Stat;
}

/** A scheduled message. */
interface Scheduled {
  readonly id: string;
  readonly phone: string;
  text: string;
}

interface Bind {
  readonly esme: Esme;
  readonly mode: 'transceiver' | 'transmitter' | 'receiver';
  /** Ids of receipts that it acknowledged. */
  readonly acknowledged: string[];
  /** Whether the connection was cut, so that its last acknowledgements may not have arrived. */
  isCut: boolean;
}

const modes = ['transceiver', 'transmitter', 'receiver'] as const;
/** command_status of an answer to a receipt; undefined: no answer. */
const answers = [0, 0, 0, 0x64, undefined] as const;

/** One run with a client of its own. */
class Run {
  readonly binds: Bind[] = [];
  readonly accepted = new Map<string, Accepted>();
  readonly scheduled: Scheduled[] = [];
  /** Texts by phone that may arrive, because the connection ended before the answer. */
  readonly uncertain = new Map<string, string>();
  /** Texts by phone that must arrive. */
  readonly expected = new Map<string, string>();
  readonly #service: SmppService;
  readonly #systemId: string;
  readonly #chance: () => number;
  readonly #ends: (() => void)[] = [];
  #reference = 0;

  constructor(service: SmppService, systemId: string, chance: () => number) {
    this.#service = service;
    this.#systemId = systemId;
    this.#chance = chance;
  }

  #pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#chance() * all.length)]!;
  }

  async bind(mode = this.#pick(modes), status: number | undefined = this.#pick(answers)): Promise<void> {
    if (this.binds.filter(({ esme }) => !esme.isClosed).length >= MOST_BINDS) return;
    const ends = { after: (work: () => void) => void this.#ends.push(work) };
    const esme = await boundEsme(ends, this.#service, this.#systemId, mode);
    const bind: Bind = { esme, mode, acknowledged: [], isCut: false };
    esme.answer = (pdu) => {
      if (status === 0) bind.acknowledged.push(receiptOf(pdu).id!);
      return status;
    };
    this.binds.push(bind);
  }

  /** A bind that may submit. */
  async #transmitter(): Promise<Bind> {
    const open = this.binds.filter(({ esme, mode }) => !esme.isClosed && mode !== 'receiver');
    if (open.length > 0) return this.#pick(open);
    for (const { esme } of this.binds) esme.session.destroy();
    for (const bind of this.binds) bind.isCut = true;
    await waitFor('the ends of the binds', () => this.binds.every(({ esme }) => esme.isClosed));
    await this.bind('transceiver');
    return this.binds.at(-1)!;
  }

  /** Submits; returns the id, or undefined if the connection ended before the answer. */
  async #submit(
    phone: string,
    text: string,
    more: Record<string, unknown> = {},
  ): Promise<string | undefined> {
    const { esme } = await this.#transmitter();
    const registered = this.#pick([0, 1, 2, 3]);
    const fields = { destination_addr: phone, short_message: text, registered_delivery: registered, ...more };
    const answer = await esme.submit(fields).catch(() => undefined);
    if (!answer) return undefined;
    assert.equal(answer.command_status, 0);
    this.accepted.set(String(answer.message_id), { registered, stat: 'DELIVRD' });
    return String(answer.message_id);
  }

  async send(): Promise<void> {
    const [phone, text] = [newPhone(), `Text ${this.#chance()}`];
    const id = await this.#submit(phone, text);
    (id === undefined ? this.uncertain : this.expected).set(phone, text);
  }

  async sendAndCut(): Promise<void> {
    const bind = await this.#transmitter();
    const sending = Promise.all([this.send(), this.send(), this.send()]);
    bind.isCut = true;
    bind.esme.session.destroy();
    await sending;
  }

  async sendParts(): Promise<void> {
    const phone = newPhone();
    const isWhole = this.#chance() < 0.7;
    const parts = ['The first part, ', 'and the last.'];
    const reference = ++this.#reference;
    const ids: (string | undefined)[] = [];
    for (const [index, part] of parts.slice(0, isWhole ? 2 : 1).entries())
      ids.push(
        await this.#submit(phone, part, {
          sar_msg_ref_num: reference,
          sar_total_segments: parts.length,
          sar_segment_seqnum: index + 1,
        }),
      );
    if (ids.includes(undefined)) this.uncertain.set(phone, parts.join(''));
    else if (isWhole) this.expected.set(phone, parts.join(''));
    else for (const id of ids) this.accepted.get(id!)!.stat = 'EXPIRED';
  }

  async schedule(): Promise<void> {
    const [phone, text] = [newPhone(), `Later ${this.#chance()}`];
    const id = await this.#submit(phone, text, { schedule_delivery_time: TOMORROW });
    if (id === undefined) this.uncertain.set(phone, text);
    else this.scheduled.push({ id, phone, text });
  }

  async replace(): Promise<void> {
    if (this.scheduled.length === 0) return;
    const message = this.#pick(this.scheduled);
    const text = `Replaced ${this.#chance()}`;
    const registered = this.#pick([0, 1, 2, 3]);
    const { esme } = await this.#transmitter();
    const { command_status } = await esme.ask('replace_sm', {
      message_id: message.id,
      short_message: text,
      registered_delivery: registered,
    });
    assert.equal(command_status, 0);
    message.text = text;
    this.accepted.set(message.id, { registered, stat: 'DELIVRD' });
  }

  async cancel(): Promise<void> {
    if (this.scheduled.length === 0) return;
    const [message] = this.scheduled.splice(Math.floor(this.#chance() * this.scheduled.length), 1);
    const { esme } = await this.#transmitter();
    const { command_status } = await esme.ask('cancel_sm', { message_id: message!.id });
    assert.equal(command_status, 0);
    this.accepted.get(message!.id)!.stat = 'DELETED';
  }

  async unbind(): Promise<void> {
    const open = this.binds.filter(({ esme }) => !esme.isClosed);
    if (open.length === 0) return;
    const { esme } = this.#pick(open);
    await esme.ask('unbind').catch(() => undefined);
    await waitFor('the end of the bind', () => esme.isClosed);
  }

  async cut(): Promise<void> {
    const open = this.binds.filter(({ esme }) => !esme.isClosed);
    if (open.length === 0) return;
    const bind = this.#pick(open);
    bind.isCut = true;
    bind.esme.session.destroy();
    await waitFor('the end of the bind', () => bind.esme.isClosed);
  }

  step(): Promise<void> {
    const steps = [
      ...[this.send, this.send, this.send, this.sendParts, this.schedule, this.schedule],
      ...[this.replace, this.cancel, this.bind, this.bind, this.unbind, this.cut, this.sendAndCut],
    ];
    return this.#pick<() => Promise<void>>(steps).call(this);
  }

  /** Binds a receiver that acknowledges everything, and waits until nothing waits. */
  async settle(): Promise<void> {
    for (const bind of this.binds) {
      bind.isCut ||= !bind.esme.isClosed;
      bind.esme.session.destroy();
    }
    await waitFor('the ends of the binds', () => this.binds.every(({ esme }) => esme.isClosed));
    await this.bind('receiver', 0);
    await this.#service.advance(86_400);
    for (const { phone, text } of this.scheduled) this.expected.set(phone, text);
    await waitFor(
      'everything to be sent and acknowledged',
      async () => {
        await this.#service.advance(SETTLE_STEP);
        const [left] = await this.#service.sql<{ count: number }[]>`
        SELECT (SELECT count(*) FROM smpp_messages)::int + (SELECT count(*) FROM smpp_deliveries)::int
          + (SELECT count(*) FROM messages WHERE final_at IS NULL)::int AS count`;
        return left!.count === 0;
      },
      240_000,
    );
  }

  /** Throws AssertionError for a state that the model does not have. Returns the number of texts that arrived. */
  async check(): Promise<number> {
    let arrived = 0;
    for (const [phone, text] of [...this.expected, ...this.uncertain]) {
      const texts = (await this.#service.phone(phone)).map((one) => one.text);
      if (this.expected.has(phone) || texts.length > 0) assert.deepEqual(texts, [text], stored(phone));
      arrived += texts.length;
    }
    const certain = this.binds.filter(({ isCut }) => !isCut).flatMap(({ acknowledged }) => acknowledged);
    assert.equal(new Set(certain).size, certain.length, 'a receipt was acknowledged twice');
    const seen = new Map<string, Set<string>>();
    for (const { esme } of this.binds) {
      for (const receipt of esme.delivered.map(receiptOf))
        seen.set(receipt.id!, (seen.get(receipt.id!) ?? new Set()).add(receipt.stat!));
    }
    for (const [id, { registered, stat }] of this.accepted) {
      const isWanted = registered === 1 || registered === (stat === 'DELIVRD' ? 3 : 2);
      assert.deepEqual([...(seen.get(id) ?? [])], isWanted ? [stat] : [], `receipt of ${id}, ${registered}`);
    }
    const unknown = [...seen.keys()].filter((id) => !this.accepted.has(id));
    assert.ok(unknown.length <= 2 * this.uncertain.size, 'a receipt for what nobody has submitted');
    return arrived;
  }

  end(): void {
    for (const work of this.#ends) work();
  }
}

/** Runs clients with random steps until the time is over. */
export async function runSmppClients({ seed, isOver, progress }: MachineOptions): Promise<MachineResult> {
  const service = await startSmppService({ SMPP_SERVER_PART_SECONDS: String(PART_SECONDS) });
  const failures: string[] = [];
  const rows = { runs: 0, messages: 0, receipts: 0 };
  // A person is signed out after some hours of the clock; an account has at most some clients.
  const clients = await Promise.all(Array.from({ length: 20 }, () => service.newClient({ max_binds: 10 })));
  for (; !isOver(); rows.runs++) {
    const runSeed = seed + rows.runs;
    const run = new Run(service, clients[rows.runs % clients.length]!.system_id, random(runSeed));
    try {
      const before = await service.balance();
      for (let step = 0; step < STEPS; step++) await run.step();
      await run.settle();
      const arrived = await run.check();
      assert.equal(before - (await service.balance()), arrived, 'the wallet has not paid for what arrived');
      rows.messages += arrived;
      rows.receipts += run.binds.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
      progress?.(`run ${rows.runs}, seed ${runSeed}: ${arrived} messages`);
    } catch (error) {
      failures.push(`seed ${runSeed}: ${error instanceof Error ? error.stack : String(error)}`);
    } finally {
      run.end();
    }
  }
  await service.stop();
  return { rows, failures };
}
