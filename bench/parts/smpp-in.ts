import type { SubmitPlan, Submitted } from '../children/esme.ts';
import { startChild } from '../support/child.ts';
import type { Field } from '../support/field.ts';
import { markdown } from '../support/markdown.ts';
import { cpuOf } from '../support/proc.ts';
import { median, show } from '../support/statistics.ts';
import { freePort } from '../support/wait.ts';
import { startCarillon } from '../systems/carillon.ts';

const WINDOWS = [1, 10, 50];
const BINDS = [1, 4, 20];
/** Messages of one bind with a window of 1 take their time one after the other. */
const LEAST_MESSAGES = 500;

export interface SmppInOptions {
  readonly field: Field;
  readonly folder: string;
  readonly rounds: number;
  /** Messages of the row with the largest window and most binds. */
  readonly messages: number;
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

/** Figures of one window and number of binds, by round. */
interface SmppInRow {
  readonly window: number;
  readonly binds: number;
  readonly rounds: (Submitted & {
    /** CPU of the server and of PostgreSQL, and of the client, in microseconds a message. */
    readonly cpu: { readonly server: number; readonly postgres: number; readonly client: number };
  })[];
}
export type SmppIn = readonly SmppInRow[];

/** Messages that an SMPP client submits, with receipts that go back, by window and number of binds. */
export async function smppIn(options: SmppInOptions): Promise<SmppIn> {
  const { field, folder, rounds, messages, profile, progress } = options;
  const port = await freePort();
  const { smscPort, callbackPort } = field;
  const settings = { SMPP_SERVER_PORT: String(port) };
  const carillon = await startCarillon({ smscPort, callbackPort, folder, profile, settings });
  const { password } = await carillon.command<{ password: string }>(
    ...['smpp-client', 'create', 'bench', 'esme', '--rate', '0', '--window', '500', '--binds', '50'],
  );
  const esme = await startChild('esme.ts');
  const rows = WINDOWS.flatMap((window) => BINDS.map((binds): SmppInRow => ({ window, binds, rounds: [] })));
  const plan = (window: number, binds: number): SubmitPlan => {
    const share = Math.min(1, (window * binds) / 200);
    const count = Math.max(LEAST_MESSAGES, Math.ceil(messages * share));
    return { port, systemId: 'esme', password, binds, window, messages: count };
  };
  progress('smpp-in: warming up');
  await esme.ask('submit', plan(50, 4));
  for (let round = 1; round <= rounds; round++) {
    for (const row of rows) {
      const wanted = plan(row.window, row.binds);
      const before: Record<string, number> = { ...carillon.cpu(), client: cpuOf(esme.pid) };
      const submitted = await esme.ask<Submitted>('submit', wanted);
      const after: Record<string, number> = { ...carillon.cpu(), client: cpuOf(esme.pid) };
      const each = (name: 'server' | 'postgres' | 'client') =>
        (1e6 * (after[name]! - before[name]!)) / wanted.messages;
      const cpu = { server: each('server'), postgres: each('postgres'), client: each('client') };
      row.rounds.push({ ...submitted, cpu });
      progress(
        `round ${round}, window ${row.window}, ${row.binds} binds: ${show(submitted.perSecond)}/s, p99 ${show(submitted.answerP99Ms, 1)} ms`,
      );
    }
  }
  await carillon.stop();
  return rows;
}

/** Returns the figures as Markdown, medians over the rounds. */
export function smppInTable(rows: SmppIn): string {
  const head = [
    ...['window', 'binds', 'accepted', 'with receipts', 'answer p50', 'answer p99'],
    'CPU a message: server, PostgreSQL',
  ];
  const lines = rows.map(({ window, binds, rounds }) => {
    const of = (figure: (round: (typeof rounds)[number]) => number) => median(rounds.map(figure));
    return [
      String(window),
      String(binds),
      `${show(of(({ perSecond }) => perSecond))}/s`,
      `${show(of(({ endToEndPerSecond }) => endToEndPerSecond))}/s`,
      `${show(
        of(({ answerMedianMs }) => answerMedianMs),
        1,
      )} ms`,
      `${show(
        of(({ answerP99Ms }) => answerP99Ms),
        1,
      )} ms`,
      `${show(of(({ cpu }) => cpu.server))}, ${show(of(({ cpu }) => cpu.postgres))} µs`,
    ];
  });
  return `Messages of an SMPP client, by its window and binds:\n\n${markdown(head, lines)}`;
}
