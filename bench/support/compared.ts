import type { Plan } from '../children/load.ts';
import type { System } from '../systems/system.ts';
import { type Field, type Flow, flow, quiet } from './field.ts';
import { markdown } from './markdown.ts';
import { median, show } from './statistics.ts';

/* The same messages measured under different conditions, compared with a base. */

export const KINDS = ['single', 'bulk'] as const;
export type Kind = (typeof KINDS)[number];

/** Kinds of chat messages: templates to clients, and texts of clients. */
export type ChatKind = 'chat' | 'chat-incoming';
type AnyKind = Kind | ChatKind;

/** Names of the kinds in tables. */
export const kindName: Readonly<Record<AnyKind, string>> = {
  single: 'one message a request',
  bulk: '`bulk`',
  chat: 'one chat message a request',
  'chat-incoming': 'one message of a client a webhook',
};

/** Measurements under one condition, by round. */
export interface Compared<Of extends AnyKind = Kind> {
  readonly kind: Of;
  readonly label: string;
  /** Whether it is the base for the others of its kind. */
  readonly isBase: boolean;
  readonly flows: Flow[];
}

/** Connections of the load generator; fewer for `bulk`, which equals many requests. */
const CONNECTIONS: Readonly<Record<Kind, number>> = { single: 50, bulk: 4 };
/** Messages per `bulk`. */
export const BULK_SIZE = 2_500;

/** Returns plans of consecutive messages, so that all are different. */
export class Traffic {
  #first = 0;

  /** `messages` is rounded up to whole requests. */
  plan(
    kind: Kind,
    messages: number,
    { size = kind === 'single' ? 1 : BULK_SIZE, connections = CONNECTIONS[kind] } = {},
  ): Omit<Plan, 'target'> {
    const requests = Math.ceil(messages / size);
    const first = this.#first;
    this.#first += requests * size;
    return { connections, requests, size, first };
  }
}

interface RoundsOptions {
  readonly field: Field;
  readonly rounds: number;
  /** Messages per measurement, one per request; `bulk` has twice as many. */
  readonly messages: number;
  readonly progress: (line: string) => void;
}

/** Measures each row once per round, in turns, on an idle system. */
export async function measureRounds(
  { field, rounds, messages, progress }: RoundsOptions,
  system: System,
  traffic: Traffic,
  rows: readonly Compared[],
): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    for (const row of rows) {
      await quiet(field, [system]);
      const count = row.kind === 'single' ? messages : 2 * messages;
      row.flows.push(await flow(field, system, traffic.plan(row.kind, count)));
      progress(`round ${round}, ${told(row)}`);
    }
  }
}

/** Returns the median of a figure over the rounds. */
export const over = ({ flows }: Compared<AnyKind>, figure: (flow: Flow) => number): number =>
  median(flows.map(figure));

/** Returns a progress line about a round. */
export function told({ kind, label, flows }: Compared<AnyKind>): string {
  const { acceptedPerSecond, endToEndPerSecond, cpuPerThousand, otherCores } = flows.at(-1)!;
  const { server = 0, postgres = 0 } = cpuPerThousand;
  return `${kind}, ${label}: ${show(acceptedPerSecond)}/${show(endToEndPerSecond)} a second, CPU ${show(server * 1_000)} + ${show(postgres * 1_000)} µs, others ${show(otherCores, 2)} cores`;
}

/** Returns medians over the rounds as Markdown; ratios are those of the medians. */
export function comparedTable(rows: readonly Compared<AnyKind>[]): string {
  const head = [
    '',
    'accepted',
    'end to end',
    'ratio',
    'answer: median, p99',
    'server + postgres, µs a message',
    'others, cores',
  ];
  return markdown(
    head,
    rows.map((row) => {
      const base = rows.find(({ kind, isBase }) => isBase && kind === row.kind)!;
      const accepted = over(row, ({ acceptedPerSecond }) => acceptedPerSecond);
      const endToEnd = over(row, ({ endToEndPerSecond }) => endToEndPerSecond);
      const ratios = [
        accepted / over(base, ({ acceptedPerSecond }) => acceptedPerSecond),
        endToEnd / over(base, ({ endToEndPerSecond }) => endToEndPerSecond),
      ];
      const micros = (name: string) =>
        show(over(row, ({ cpuPerThousand }) => (cpuPerThousand[name] ?? 0) * 1_000));
      const answer = [
        over(row, ({ answerMedianMs }) => answerMedianMs),
        over(row, ({ answerP99Ms }) => answerP99Ms),
      ];
      return [
        `${kindName[row.kind]}, ${row.label}`,
        `${show(accepted)}/s`,
        `${show(endToEnd)}/s`,
        row === base ? '' : ratios.map((ratio) => show(ratio, 2)).join(', '),
        answer.map((ms) => `${show(ms, 1)} ms`).join(', '),
        `${micros('server')} + ${micros('postgres')}`,
        show(
          over(row, ({ otherCores }) => otherCores),
          2,
        ),
      ];
    }),
  );
}
