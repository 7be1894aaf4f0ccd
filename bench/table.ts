import type { Jitter } from './children/exchange.ts';
import type { CapacityBench } from './parts/capacity.ts';
import type { Chat } from './parts/chat.ts';
import type { ClusterCost } from './parts/cluster.ts';
import { type ConsoleBench, consoleTable } from './parts/console.ts';
import type { ConversationsBench } from './parts/conversations.ts';
import type { Answered, Dlr } from './parts/dlr.ts';
import type { Grown } from './parts/grown.ts';
import type { HeldSnapshot } from './parts/held-snapshot.ts';
import type { Lists } from './parts/lists.ts';
import type { Mail } from './parts/mail.ts';
import type { Million } from './parts/million.ts';
import type { ManyProcesses } from './parts/processes.ts';
import type { RetentionBench } from './parts/retention.ts';
import { type SmppIn, smppInTable } from './parts/smpp-in.ts';
import type { ColdStart } from './parts/start.ts';
import type { Sweep } from './parts/sweep.ts';
import { overRounds, type Throughput } from './parts/throughput.ts';
import type { Voice } from './parts/voice.ts';
import { type ChatKind, type Compared, comparedTable } from './support/compared.ts';
import type { Flow } from './support/field.ts';
import { markdown, type Row } from './support/markdown.ts';
import { median, show } from './support/statistics.ts';
import {
  capacityTable,
  clusterTable,
  conversationsTable,
  floorTable,
  grownTable,
  heldSnapshotTable,
  processesTable,
  retentionTable,
  spread,
  sweepTable,
} from './tables.ts';

export interface Results {
  readonly throughput?: Throughput;
  readonly floor?: readonly Compared[];
  readonly chatFloor?: readonly Compared<ChatKind>[];
  readonly sweep?: Sweep;
  readonly tenants?: readonly Compared[];
  readonly tracing?: readonly Compared[];
  readonly texts?: readonly Compared[];
  readonly cores?: readonly Compared[];
  readonly capacity?: CapacityBench;
  readonly policy?: readonly Compared[];
  readonly routing?: readonly Compared[];
  readonly httpBatches?: readonly Compared[];
  readonly throttled?: readonly Compared[];
  readonly retention?: RetentionBench;
  readonly console?: ConsoleBench;
  readonly smppIn?: SmppIn;
  readonly heldSnapshot?: HeldSnapshot;
  readonly grown?: Grown;
  readonly processes?: ManyProcesses;
  readonly cluster?: ClusterCost | undefined;
  readonly million?: Million;
  readonly starts?: readonly ColdStart[];
  readonly dlr?: Dlr;
  readonly lists?: Lists;
  readonly chat?: Chat;
  readonly mail?: readonly Mail[];
  readonly conversations?: ConversationsBench;
  readonly voice?: Voice;
}

type Kind = 'kannel' | 'single' | 'keyed' | 'bulk';

const MEBI = 2 ** 20;

/** Returns the results as Markdown: figures against goals, then CPU. */
export function table(results: Results): string {
  const rows = figures(results);
  const head = ['', 'Kannel', 'Carillon', "ratio to Kannel's best", 'goal'];
  const parts = rows.length > 0 ? [markdown(head, rows)] : [];
  if (results.throughput) {
    parts.push(
      'CPU per message, µs (the same as CPU milliseconds per 1,000 messages):',
      cpu(results.throughput),
    );
    parts.push('Cores in use meanwhile, of the machine:', cores(results.throughput));
  }
  if (results.floor) parts.push(floorTable('floor', results.floor));
  if (results.chatFloor) parts.push(floorTable('chat-floor', results.chatFloor));
  if (results.sweep) parts.push(sweepTable(results.sweep));
  if (results.tenants) parts.push('The same messages from many accounts:', comparedTable(results.tenants));
  if (results.tracing) parts.push('The same messages, traced:', comparedTable(results.tracing));
  if (results.texts) parts.push('The same messages, by how texts are stored:', comparedTable(results.texts));
  if (results.cores)
    parts.push('The same messages, by the number of processes:', comparedTable(results.cores));
  if (results.capacity) parts.push(capacityTable(results.capacity));
  if (results.policy) parts.push('The same messages, by the sending policy:', comparedTable(results.policy));
  if (results.routing) parts.push('The same messages, by their routes:', comparedTable(results.routing));
  if (results.httpBatches)
    parts.push('Messages over a provider with an HTTP interface:', comparedTable(results.httpBatches));
  if (results.throttled)
    parts.push('Messages over a carrier that refuses at random:', comparedTable(results.throttled));
  if (results.retention) parts.push(retentionTable(results.retention));
  if (results.smppIn) parts.push(smppInTable(results.smppIn));
  if (results.heldSnapshot) parts.push(heldSnapshotTable(results.heldSnapshot));
  if (results.grown) parts.push(grownTable(results.grown));
  if (results.processes) parts.push(processesTable(results.processes));
  if (results.console) parts.push(consoleTable(results.console));
  if (results.conversations) parts.push(conversationsTable(results.conversations));
  if (results.cluster) parts.push(clusterTable(results.cluster));
  return parts.join('\n\n');
}

function figures({ throughput, million, starts, dlr, lists, chat, mail, voice }: Results): Row[] {
  const rows: Row[] = [];
  const mebi = (bytes: number) => `${show(bytes / MEBI)} MiB`;
  const perSecond = (value: number | undefined) => (value === undefined ? '–' : `${show(value)}/s`);
  if (throughput) {
    const compare = (
      label: string,
      kind: Kind,
      field: 'acceptedPerSecond' | 'endToEndPerSecond',
      goal: string,
    ) => {
      const ours = overRounds(throughput, (round) => round[kind]?.[field]);
      if (ours === undefined) return;
      const kannel = throughput.rounds.flatMap((round) => round.kannel?.[field] ?? []);
      const here = kannel.length > 0 ? `${spread(kannel)}/s` : 'not measured';
      // A round of Kannel may be four times as slow as another, so figures are compared with its best round.
      const ratio = kannel.length > 0 ? `${show(ours / Math.max(...kannel), 1)}×` : '–';
      rows.push([label, here, perSecond(ours), ratio, goal]);
    };
    compare('one message a request: accepted', 'single', 'acceptedPerSecond', '3×');
    compare('one message a request: end to end', 'single', 'endToEndPerSecond', '3×');
    compare('one message a request, with a send key: accepted', 'keyed', 'acceptedPerSecond', '–');
    compare('`bulk` of 2,500: accepted', 'bulk', 'acceptedPerSecond', '–');
    compare('`bulk` of 2,500: end to end', 'bulk', 'endToEndPerSecond', '10×');
  }
  if (million) {
    const { callbacks, submits, latency, slowLatency } = million;
    const count = show(million.waiting);
    rows.push([`memory with ${count} waiting`, '', mebi(million.memoryWaiting), '', '']);
    rows.push([`most memory, until ${count} were sent`, '', mebi(million.maxMemory), '', 'under 400 MiB']);
    const both = (label: string, of: typeof callbacks) =>
      rows.push([
        label,
        '',
        `${perSecond(of.first)}, ${perSecond(of.last)}`,
        show(of.last / of.first, 2),
        'within 10 %',
      ]);
    both('first and last 100,000: callbacks', callbacks);
    both('first and last 100,000: submit_sm', submits);
    rows.push([`all ${count}: callbacks`, '', perSecond(callbacks.all), '', '']);
    const probes = (label: string, of: typeof latency, goal: string) => {
      if (!of) return;
      const figure = `${show(of.median, 1)} ms, ${show(of.p99, 1)} ms`;
      rows.push([`${label} (${of.probes} probes): median, p99`, '', figure, '', goal]);
      const answer = `${show(of.answerMedian, 1)} ms, ${show(of.answerP99, 1)} ms`;
      rows.push(['their answers: median, p99', '', answer, '', '']);
    };
    probes('answer to submit_sm while they are sent', latency, 'p99 50 ms');
    probes('the same behind a network that takes 1,000/s', slowLatency, 'p99 250 ms');
  }
  if (starts) {
    const cpu = show(median(starts.map((one) => one.cpu)), 2);
    rows.push(
      ['cold start to ready', '', `${show(median(starts.map(({ ms }) => ms)) / 1_000, 2)} s`, '', '3 s'],
      ['CPU of the server process until then', '', `${cpu} s`, '', '0.5 s'],
    );
  }
  if (dlr) {
    const report = (form: string, of: Answered) => {
      const label = `\`dlr\` of ${show(dlr.ids)} ids among ${show(dlr.stored)} messages, ${form} (${of.requests} requests)`;
      const figure = `${show(of.median, 1)} ms, ${show(of.p95, 1)} ms, ${show(of.p99, 1)} ms`;
      rows.push([`${label}: median, p95, p99`, '', figure, '', 'p99 100 ms']);
    };
    report('XML', dlr.xml);
    report('JSON', dlr.json);
  }
  if (chat) {
    const count = show(chat.contacts);
    rows.push([`a chat campaign to ${count}: answered after`, '', `${show(chat.answerMs)} ms`, '', '1 s']);
    rows.push(['the same: taken by the platform', '', perSecond(chat.sentPerSecond), '', '1,000/s']);
    rows.push(['the same: until all were delivered', '', perSecond(chat.deliveredPerSecond), '', '']);
    const each = Object.entries(chat.cpu).map(([name, value]) => `${name} ${show(value)}`);
    rows.push(['CPU per message, µs', '', each.join(', '), '', '']);
    const memory = [chat.memoryBefore, chat.memoryHalf, chat.memoryEnd].map(mebi).join(', ');
    rows.push(['most memory: before, half-way, at the end', '', memory, '', 'flat']);
  }
  for (const one of mail ?? []) {
    const count = `${show(one.users)}${one.isSigned ? ', signed (DKIM)' : ''}`;
    rows.push([`a mail to a list of ${count}: answered after`, '', `${show(one.answerMs)} ms`, '', '1 s']);
    const goal = one.isSigned ? '1,500/s' : '3,000/s';
    rows.push(['the same: taken by the relay', '', perSecond(one.sentPerSecond), '', goal]);
    const each = Object.entries(one.cpu).map(([name, value]) => `${name} ${show(value)}`);
    rows.push(['CPU per mail, µs', '', each.join(', '), '', '']);
    rows.push(['cores that others used', '', show(one.otherCores, 2), '', '']);
    const memory = [one.memoryBefore, one.memoryFirst, one.memoryEnd].map(mebi).join(', ');
    rows.push(['most memory: before, after the first campaign, at the end', '', memory, '', 'flat']);
  }
  if (voice) {
    const { jitter, beside } = voice;
    const spacingOf = ({ median, p99, worst }: Jitter) =>
      [median, p99, worst].map((value) => `${show(value, 2)} ms`).join(', ');
    rows.push([
      `${voice.atOnce} calls at once, jitter of ${show(jitter.packets)} packets: median, p99, worst`,
      '',
      spacingOf(jitter),
      '',
      'p99 5 ms',
    ]);
    const cores = Object.entries(voice.cores).map(([name, value]) => `${name} ${show(value, 2)}`);
    rows.push(['cores in use meanwhile', '', cores.join(', '), '', '']);
    rows.push([
      `${beside.calls} calls, the main thread busy for ${beside.workMs} ms at a time: jitter of ${show(beside.jitter.packets)} packets`,
      '',
      spacingOf(beside.jitter),
      '',
      'worst 40 ms',
    ]);
    rows.push([`${show(voice.calls)} short calls`, '', perSecond(voice.callsPerSecond), '', '']);
    const memory = [voice.memoryBefore, voice.memoryHalf, voice.memoryEnd].map(mebi).join(', ');
    rows.push(['memory: before, half-way, at the end', '', memory, '', 'flat']);
  }
  if (lists) {
    const count = show(lists.contacts);
    rows.push([`a send to a list of ${count}: answered after`, '', `${show(lists.answerMs)} ms`, '', '']);
    rows.push(['its messages made of the list', '', perSecond(lists.madePerSecond), '', '']);
    rows.push(['the same: end to end', '', perSecond(lists.endToEndPerSecond), '', '']);
    const memory = `${mebi(lists.memorySmall)}, ${mebi(lists.memoryLarge)}`;
    rows.push([
      `most memory, lists of 1,000 and of ${count}`,
      '',
      memory,
      show(lists.memoryLarge / lists.memorySmall, 2),
      '',
    ]);
  }
  return rows;
}

const kinds: readonly (readonly [Kind, string])[] = [
  ['kannel', 'Kannel'],
  ['single', 'one a request'],
  ['keyed', 'one a request, with a send key'],
  ['bulk', '`bulk`'],
];

function cpu(throughput: Throughput): string {
  return byProcess(
    throughput,
    (flow) => flow.cpuPerThousand,
    (value) => show(value * 1_000),
  );
}

function cores(throughput: Throughput): string {
  const all = (flow: Flow) => ({ ...flow.cores, others: flow.otherCores });
  return byProcess(throughput, all, (value) => show(value, 2));
}

/** Returns medians over the rounds, with a column for each process. */
function byProcess(
  throughput: Throughput,
  figuresOf: (flow: Flow) => Record<string, number>,
  format: (value: number) => string,
): string {
  const flows = (kind: Kind) => throughput.rounds.flatMap((round) => round[kind] ?? []);
  const names = [
    ...new Set(kinds.flatMap(([kind]) => flows(kind).flatMap((one) => Object.keys(figuresOf(one))))),
  ];
  const rows = kinds.flatMap(([kind, label]): Row[] => {
    const measured = flows(kind).map(figuresOf);
    if (measured.length === 0) return [];
    const cell = (name: string) => {
      const values = measured.flatMap((one) => one[name] ?? []);
      return values.length > 0 ? format(median(values)) : '';
    };
    return [[label, ...names.map(cell)]];
  });
  return markdown(['', ...names], rows);
}
