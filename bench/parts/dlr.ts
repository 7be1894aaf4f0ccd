import { connect } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import { formatLocal } from '../../server/kit/time-zones.ts';
import { cpuNow, type Field } from '../support/field.ts';
import { cpuOfMachine } from '../support/proc.ts';
import { quantile, show } from '../support/statistics.ts';
import { type StoredMessages, storeMessages } from '../support/stored-messages.ts';
import { type Carillon, startCarillon, TIME_ZONE } from '../systems/carillon.ts';
import type { LoadTarget } from '../systems/requests.ts';

/** External ids per request: the maximum. */
const IDS = 1_000;
const WEEK = 7 * 86_400_000;
const MINUTE = 60_000;
const WARM_UP = 50;
const REQUESTS = 500;
const forms = ['xml', 'json'] as const;

type Target = LoadTarget & { kind: 'carillon' };
type Form = (typeof forms)[number];

export interface DlrOptions {
  readonly field: Field;
  readonly folder: string;
  /** Number of messages in the table. */
  readonly stored: number;
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

/** Milliseconds from a request to the end of its answer. */
export interface Answered {
  readonly requests: number;
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  readonly worst: number;
}

export interface Dlr extends Readonly<Record<Form, Answered>> {
  readonly stored: number;
  readonly ids: number;
  /** CPU cores used by other programs on this machine. */
  readonly otherCores: number;
}

/** Requests the reports of 1,000 messages among very many, by their external ids, one request after the other. */
export async function dlr(options: DlrOptions): Promise<Dlr> {
  const { field, folder, stored, progress } = options;
  const { smscPort, callbackPort } = field;
  const carillon = await startCarillon({ smscPort, callbackPort, folder, profile: options.profile });
  const target = carillon.target as Target;
  const messages = await fill(folder, target.username, stored, progress);

  progress('asking');
  for (let i = 0; i < WARM_UP; i++) for (const form of forms) await ask(target, messages, form);
  const took = { xml: [] as number[], json: [] as number[] };
  const startedAt = performance.now();
  const [before, machineBefore] = [cpuOfOurs(field, carillon), cpuOfMachine()];
  for (let i = 0; i < REQUESTS; i++) {
    for (const form of forms) took[form].push(await ask(target, messages, form));
  }
  const others = cpuOfMachine() - machineBefore - (cpuOfOurs(field, carillon) - before);
  const otherCores = Math.max(0, others / ((performance.now() - startedAt) / 1_000));
  progress(`others used ${show(otherCores, 2)} cores meanwhile`);
  await carillon.stop();
  return { stored, ids: IDS, xml: answered(took.xml), json: answered(took.json), otherCores };
}

/** Stores `stored` messages, for the account with this name and others. */
export async function fill(
  folder: string,
  username: string,
  stored: number,
  progress: (line: string) => void,
): Promise<StoredMessages> {
  const database = await attachEmbedded(folder);
  const sql = connect(database.target, { max: 1, statementMs: 60 * MINUTE });
  try {
    const [account] = await sql<{ id: number }[]>`SELECT id FROM accounts WHERE username = ${username}`;
    return await storeMessages(sql, account!.id, stored, progress);
  } finally {
    await sql.end();
  }
}

/** Requests the ids of a random week in the period of the messages. Throws when the answer lacks some. */
export async function ask(target: Target, messages: StoredMessages, form: Form): Promise<number> {
  const earliest = messages.from + MINUTE;
  const start = earliest + Math.random() * (messages.to - WEEK - earliest);
  const from = start - (start % MINUTE);
  const to = from + WEEK;
  const ids = messages.choose(IDS, from, to);
  const [first, last] = [formatLocal(from, TIME_ZONE), formatLocal(to, TIME_ZONE)];
  const body = form === 'xml' ? xml(target, ids, first, last) : json(target, ids, first, last);
  const headers = { authorization: `Bearer ${target.token}`, 'content-type': `application/${form}` };

  const startedAt = performance.now();
  const response = await fetch(`http://127.0.0.1:${target.port}/api`, { method: 'POST', headers, body });
  const text = await response.text();
  const milliseconds = performance.now() - startedAt;
  const found = text.match(form === 'xml' ? /<external_id>/g : /"external_id":/g)?.length ?? 0;
  if (found !== IDS) throw new Error(`asked for ${IDS} messages, got ${found}: ${text.slice(0, 200)}`);
  return milliseconds;
}

const json = ({ username }: Target, ids: readonly string[], from: string, to: string) =>
  JSON.stringify({ dlr: { user: { username }, transactions: { external_id: ids }, from, to } });

function xml({ username }: Target, ids: readonly string[], from: string, to: string): string {
  const list = ids.map((id) => `<external_id>${id}</external_id>`).join('');
  return `<dlr><user><username>${username}</username></user><transactions>${list}</transactions><from>${from}</from><to>${to}</to></dlr>`;
}

/** Returns the CPU seconds so far of the service, the bench and its children. */
function cpuOfOurs(field: Field, carillon: Carillon): number {
  const { user, system } = process.cpuUsage();
  return Object.values(cpuNow(field, carillon)).reduce(
    (sum, seconds) => sum + seconds,
    (user + system) / 1e6,
  );
}

export const answered = (took: readonly number[]): Answered => ({
  requests: took.length,
  median: quantile(took, 0.5),
  p95: quantile(took, 0.95),
  p99: quantile(took, 0.99),
  worst: Math.max(...took),
});
