import { styleText } from 'node:util';
import type { ServiceStatus } from '../run/doctor/status.ts';

type Tone = 'red' | 'yellow' | 'green';
type Cell = string | { readonly text: string; readonly tone: Tone };

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** Describes the state of a service for a terminal, in colours where the terminal has them. */
export function describeStatus(status: ServiceStatus): string {
  const { at, schema, webhooks, quarantine } = status;
  return [
    `${at}  schema ${schema}`,
    '',
    ...section('Processes', processRows(status), 'no process runs'),
    ...section('Connectors', connectorRows(status), 'no connector has run in the last day'),
    ...section('Queues', queueRows(status), ''),
    ...suspendedLines(status),
    ...section('Webhooks', webhookRows(webhooks), ''),
    ...(quarantine > 0 ? [`Results in quarantine: ${quarantine} (\`carillon quarantine list\`)`, ''] : []),
    ...errorLines(status),
  ]
    .join('\n')
    .trimEnd();
}

function processRows({ processes }: ServiceStatus): Cell[][] {
  if (processes.length === 0) return [];
  return [
    ['', 'ROLES', 'HOST', 'PID', 'VERSION', 'AGE', 'ERRORS', 'STATE'],
    ...processes.map(({ number, roles, host, pid, version, age_seconds: age, errors, problems }): Cell[] => [
      String(number),
      roles?.join(',') ?? '-',
      host ?? '-',
      pid === null ? '-' : String(pid),
      version ?? '-',
      age === null ? '-' : duration(age),
      String(errors),
      roles === null
        ? 'a command, or starting'
        : problems.length === 0
          ? good('works')
          : bad(problems.join('; ')),
    ]),
  ];
}

function connectorRows({ connectors }: ServiceStatus): Cell[][] {
  if (connectors.length === 0) return [];
  return [
    ['', 'STATE', 'RATE', 'IN FLIGHT', 'CAUSE'],
    ...connectors.map(({ name, state, rate, in_flight: inFlight, window, problem }): Cell[] => [
      name,
      state === 'up' ? good('up') : state === 'down' ? bad('down') : { text: 'not held', tone: 'yellow' },
      `${rate.toFixed(1)}/s`,
      `${inFlight}/${window}`,
      problem ? `${problem.reason}: ${problem.detail} (since ${problem.since})` : '',
    ]),
  ];
}

const queueRows = ({ queues }: ServiceStatus): Cell[][] => [
  ['', 'DUE', 'OLDEST', 'LATER', 'PAUSED', 'HELD'],
  ...queues.map(({ lane, due, oldest_seconds: oldest, later, paused, held }): Cell[] => [
    lane,
    String(due),
    due === 0 ? '-' : duration(oldest),
    String(later),
    String(paused),
    held > 0 ? { text: String(held), tone: 'yellow' } : '0',
  ]),
];

/** A table of suspended accounts; nothing while no account is suspended. */
function suspendedLines({ suspended: { total, accounts } }: ServiceStatus): string[] {
  if (total === 0) return [];
  const rows = accounts.map(({ username, since, messages, campaigns, cancelling }): Cell[] => [
    username,
    String(messages),
    String(campaigns),
    since ?? '-',
    cancelling ? 'being cancelled' : '',
  ]);
  const title = total > accounts.length ? `Suspended accounts (${total})` : 'Suspended accounts';
  return section(title, [['', 'HELD MESSAGES', 'HELD CAMPAIGNS', 'SINCE', ''], ...rows], '');
}

const webhookRows = ({
  waiting,
  oldest_seconds: oldest,
  active,
  failing,
  off,
}: ServiceStatus['webhooks']): Cell[][] => [
  ['EVENTS WAITING', 'OLDEST', 'ENDPOINTS', 'FAILING', 'OFF'],
  [
    String(waiting),
    waiting === 0 ? '-' : duration(oldest),
    String(active + failing + off),
    failing > 0 ? bad(String(failing)) : '0',
    off > 0 ? { text: String(off), tone: 'yellow' } : '0',
  ],
];

function errorLines({ processes }: ServiceStatus): string[] {
  const lines = processes.flatMap(({ number, last_error: error }) =>
    error ? [`  ${error.at}  process ${number}  ${error.text}`] : [],
  );
  return lines.length === 0 ? [] : ['Last errors', ...lines];
}

/** A title with an aligned table below it. */
function section(title: string, rows: readonly Cell[][], empty: string): string[] {
  if (rows.length === 0) return [title, `  ${empty}`, ''];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => textOf(row[column]!).length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const padded = textOf(cell).padEnd(column === row.length - 1 ? 0 : widths[column]!);
        return typeof cell === 'string' ? padded : styleText(cell.tone, padded);
      })
      .join('  '),
  );
  return [title, ...lines.map((line) => `  ${line}`.trimEnd()), ''];
}

const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text);
const good = (text: string): Cell => ({ text, tone: 'green' });
const bad = (text: string): Cell => ({ text, tone: 'red' });

/** Seconds as `42 s`, `12 min`, `5.5 h` or `3.2 d`. */
function duration(seconds: number): string {
  if (seconds < MINUTE) return `${seconds} s`;
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min`;
  return seconds < DAY ? `${(seconds / HOUR).toFixed(1)} h` : `${(seconds / DAY).toFixed(1)} d`;
}
