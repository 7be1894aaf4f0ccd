import type { CapacityBench } from './parts/capacity.ts';
import { type ClusterCost, databaseCpu } from './parts/cluster.ts';
import type { ConversationsBench } from './parts/conversations.ts';
import type { Answered } from './parts/dlr.ts';
import type { Grown } from './parts/grown.ts';
import type { HeldSnapshot } from './parts/held-snapshot.ts';
import type { ManyProcesses } from './parts/processes.ts';
import type { RetentionBench } from './parts/retention.ts';
import type { Sweep } from './parts/sweep.ts';
import {
  type ChatKind,
  type Compared,
  comparedTable,
  type Kind,
  kindName,
  over,
} from './support/compared.ts';
import type { Flow } from './support/field.ts';
import { markdown } from './support/markdown.ts';
import type { Latency } from './support/probes.ts';
import { median, show } from './support/statistics.ts';

/* Tables of parts that compare conditions, as Markdown. */

export function capacityTable({ costs, flush, rows }: CapacityBench): string {
  const percent = (share: number) => `${show(100 * share)} %`;
  return [
    `Measured costs (a flush of the log takes ${show(flush)} µs):`,
    markdown(
      ['', 'messages of an accepting transaction, of one with results', 'server + postgres, µs a message'],
      costs.map(({ kind, accepted, recorded, server, postgres }) => [
        kindName[kind],
        `${show(accepted, 1)}, ${show(recorded, 1)}`,
        `${show(server)} + ${show(postgres)}`,
      ]),
    ),
    'Simulated machines with these costs:',
    markdown(
      [
        '',
        'accounts',
        'cores',
        'processes',
        'end to end',
        'answer, median',
        'messages of an accepting transaction',
        'cores in use: server + postgres',
        'wallet locked',
        'disk busy',
      ],
      rows.map(({ kind, load, capacity }) => [
        kindName[kind],
        show(load.accounts),
        show(load.cores),
        show(load.processes),
        `${show(capacity.perSecond)}/s`,
        `${show(capacity.answerMs)} ms`,
        show(capacity.groupSize),
        `${show(capacity.serverCores, 1)} + ${show(capacity.postgresCores, 1)}`,
        percent(capacity.walletBusy),
        percent(capacity.diskBusy),
      ]),
    ),
  ].join('\n\n');
}

export function heldSnapshotTable(held: HeldSnapshot): string {
  const { rows, openFrom, openTo, deadBatches, batchPages, entries } = held;
  return [
    `With a transaction that was open for ${show(openFrom)} to ${show(openTo)} s, after ${show(held.held)} messages (\`dispatch_batches\` at the end: ${show(deadBatches)} dead rows, ${show(batchPages)} pages):`,
    comparedTable(rows),
    'Entries read from indexes, a message:',
    markdown(
      ['index', 'no other transaction', 'a transaction open'],
      entries.map((one) => [`\`${one.index}\``, show(one.without, 2), show(one.with, 2)]),
    ),
  ].join('\n\n');
}

const times = ({ requests, median: middle, p95, p99, worst }: Answered) => [
  show(requests),
  ...[middle, p95, p99, worst].map((ms) => `${show(ms, 1)} ms`),
];
const timesHead = ['requests', 'median', 'p95', 'p99', 'worst'];

export function conversationsTable({ rounds, reads, memory }: ConversationsBench): string {
  return [
    'Messages of clients by webhook, one a request:',
    markdown(
      [
        'conversations',
        'accounts',
        'connections',
        'a second',
        'answer: median, p99',
        'CPU a message, µs: server',
        'PostgreSQL',
      ],
      [
        ...Map.groupBy(
          rounds,
          (round) => `${round.conversations}|${round.accounts}|${round.connections}`,
        ).values(),
      ].map((own) => {
        const { conversations: stored, accounts, connections } = own[0]!;
        const figure = (name: 'perSecond' | 'server' | 'postgres' | 'median' | 'p99', digits = 0) =>
          show(median(own.map((round) => round[name])), digits);
        return [
          show(stored),
          show(accounts),
          String(connections),
          figure('perSecond'),
          `${figure('median', 1)} ms, ${figure('p99', 1)} ms`,
          figure('server'),
          figure('postgres'),
        ];
      }),
    ),
    markdown(
      ['', 'conversations', ...timesHead],
      reads.map(({ what, conversations, took }) => [what, show(conversations), ...times(took)]),
    ),
    `Most memory of the server: ${memory.map((bytes) => `${show(bytes / 2 ** 20)} MiB`).join(', then ')}.`,
  ].join('\n\n');
}

export function retentionTable({
  stored,
  nothingSeconds,
  alone,
  rows,
  besideSeconds,
}: RetentionBench): string {
  const { texts, seconds, server, postgres } = alone;
  return [
    `With ${show(stored)} messages of 1,000 accounts, a run of the job \`retention\` without anything to remove took ${show(nothingSeconds, 2)} s. While nothing was sent, it removed ${show(texts)} texts in ${show(seconds, 1)} s, with ${show(server, 1)} s of CPU of the server and ${show(postgres, 1)} s of PostgreSQL.`,
    `Beside messages; the job took ${show(besideSeconds, 1)} s (median):`,
    comparedTable(rows),
  ].join('\n\n');
}

export function grownTable({ rows, stored, reports, searches }: Grown): string {
  return [
    `With ${show(stored)} messages stored:`,
    comparedTable(rows),
    markdown(
      ['', ...timesHead],
      [
        ...reports.map((one) => [
          `\`dlr\` of 1,000 ids, ${show(one.stored)} messages stored`,
          ...times(one.took),
        ]),
        ...searches.map(({ what, took }) => [`search: ${what}`, ...times(took)]),
      ],
    ),
  ].join('\n\n');
}

export function processesTable({ rows, beside }: ManyProcesses): string {
  return [
    'Several processes on one database:',
    comparedTable(rows),
    'A single message of another account while a `bulk` is sent:',
    markdown(
      ['', 'messages', 'request to answer: median, p99', 'answer to submit_sm: median, p99'],
      beside.map(({ label, latencies }) => {
        const middle = (figure: (of: Latency) => number) => `${show(median(latencies.map(figure)), 1)} ms`;
        return [
          label,
          show(latencies.reduce((sum, { probes }) => sum + probes, 0)),
          `${middle((of) => of.answerMedian)}, ${middle((of) => of.answerP99)}`,
          `${middle((of) => of.median)}, ${middle((of) => of.p99)}`,
        ];
      }),
    ),
  ].join('\n\n');
}

export function clusterTable({ rows, shards }: ClusterCost): string {
  const middle = (flows: readonly Flow[], figure: (flow: Flow) => number) => median(flows.map(figure));
  const database = (flow: Flow) => {
    const { coordinator, workers } = databaseCpu(flow);
    return workers.reduce((sum, one) => sum + one, coordinator);
  };
  return [
    `On plain PostgreSQL and on a cluster with ${shards} shards; CPU in µs a message:`,
    markdown(
      [
        '',
        'end to end',
        'server',
        'coordinator',
        'each worker',
        'database',
        'of plain',
        "coordinator's share",
        'others, cores',
      ],
      rows.map(({ load, workers, flows }) => {
        const plain = rows.find((row) => row.load === load && row.workers === 0);
        const all = middle(flows, database);
        const coordinator = middle(flows, (flow) => databaseCpu(flow).coordinator);
        return [
          `${load}, ${workers === 0 ? 'plain' : `${workers} worker${workers === 1 ? '' : 's'}`}`,
          `${show(middle(flows, ({ endToEndPerSecond }) => endToEndPerSecond))}/s`,
          show(middle(flows, ({ cpuPerThousand }) => cpuPerThousand.server! * 1_000)),
          workers === 0 ? '' : show(coordinator),
          Array.from({ length: workers }, (_, at) =>
            show(middle(flows, (flow) => databaseCpu(flow).workers[at]!)),
          ).join(', '),
          show(all),
          workers === 0 || !plain ? '' : `${show(all / middle(plain.flows, database), 1)}×`,
          workers === 0 ? '' : `${show((100 * coordinator) / all)} %`,
          show(
            middle(flows, ({ otherCores }) => otherCores),
            2,
          ),
        ];
      }),
    ),
  ].join('\n\n');
}

/** Formats the best, median and worst of all rounds. */
export function spread(values: readonly number[]): string {
  if (values.length === 0) return '–';
  return [Math.max(...values), median(values), Math.min(...values)].map((value) => show(value)).join(', ');
}

export function sweepTable({ pending, connections }: Sweep): string {
  const figures = (flows: readonly Flow[]) => [
    spread(flows.map(({ acceptedPerSecond }) => acceptedPerSecond)),
    spread(flows.map(({ endToEndPerSecond }) => endToEndPerSecond)),
    flows.length === 0 ? '–' : show(Math.max(...flows.map(({ otherCores }) => otherCores)), 2),
  ];
  const head = ['accepted a second', 'end to end a second', 'others, cores, at most'];
  const best = (name: string, figure: (flow: Flow) => number) =>
    Math.max(
      ...[...connections, ...pending].flatMap(({ system, flows }) =>
        system === name ? flows.map(figure) : [],
      ),
    );
  const ratio = (figure: (flow: Flow) => number) =>
    `${show(best('Carillon', figure))}/s and ${show(best('Kannel', figure))}/s, ${show(best('Carillon', figure) / best('Kannel', figure), 1)}×`;
  return [
    "One message a request; best, median and worst round. Kannel's `max-pending-submits`, 50 connections:",
    markdown(
      ['max-pending-submits', ...head],
      pending.map(({ maxPending, flows }) => [String(maxPending), ...figures(flows)]),
    ),
    `Connections of the load generator (Kannel with ${connections[0]!.maxPending} pending):`,
    markdown(
      ['', ...head],
      connections.map((point) => [`${point.system}, ${point.connections}`, ...figures(point.flows)]),
    ),
    `Best of all: accepted ${ratio(({ acceptedPerSecond }) => acceptedPerSecond)}; end to end ${ratio(({ endToEndPerSecond }) => endToEndPerSecond)}.`,
  ].join('\n\n');
}

/** Returns the figures of a floor, by its name, and of Carillon, and their ratios. */
export function floorTable(name: string, rows: readonly Compared<Kind | ChatKind>[]): string {
  const machine = ({ cores, otherCores }: Flow) =>
    Object.values(cores).reduce((sum, used) => sum + used, otherCores);
  return [
    `The least work of a message in Node.js (\`${name}\`), in turns with Carillon:`,
    comparedTable(rows),
    markdown(
      ['', 'CPU of the server: ratio to the floor', 'CPU of PostgreSQL: ratio', 'cores busy'],
      rows
        .filter(({ isBase }) => !isBase)
        .map((row) => {
          const base = rows.find(({ kind, isBase }) => isBase && kind === row.kind)!;
          const ratio = (name: string) => {
            const cpu = ({ cpuPerThousand }: Flow) => cpuPerThousand[name] ?? 0;
            return show(over(row, cpu) / over(base, cpu), 2);
          };
          return [kindName[row.kind], ratio('server'), ratio('postgres'), show(over(row, machine), 2)];
        }),
    ),
  ].join('\n\n');
}
