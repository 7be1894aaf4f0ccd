import { join } from 'node:path';
import { connect } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import { type Compared, KINDS, measureRounds, Traffic } from '../support/compared.ts';
import type { ComparedServicesOptions } from '../support/compared-services.ts';
import { flow, quiet } from '../support/field.ts';
import { show } from '../support/statistics.ts';
import { CAMPAIGNS, type StoredMessages, storeAround } from '../support/stored-messages.ts';
import { type Carillon, startCarillon } from '../systems/carillon.ts';
import type { LoadTarget } from '../systems/requests.ts';
import { type Answered, answered, ask, fill } from './dlr.ts';

/** Number of messages for the comparison: reports need some messages. */
const FEW = 200_000;
const REPORTS = 100;
const SEARCHES = 100;
const WARM_UP = 10;
const HOUR = 3_600_000;

type Target = LoadTarget & { kind: 'carillon' };

export interface GrownOptions extends ComparedServicesOptions {
  /** Messages in the table. */
  readonly stored: number;
}

export interface Grown {
  readonly rows: readonly Compared[];
  readonly stored: number;
  /** Reports of 1,000 messages, with few messages in the table and with all. */
  readonly reports: readonly { readonly stored: number; readonly took: Answered }[];
  /** Searches of the console's page of messages, by criterion. */
  readonly searches: readonly { readonly what: string; readonly took: Answered }[];
}

/** Measures an empty service, stores very many messages of 20 accounts, and measures again. */
export async function grown(options: GrownOptions): Promise<Grown> {
  const { field, messages, stored, profile, progress } = options;
  const { smscPort, callbackPort } = field;
  const folder = join(options.folder, 'grown');
  const carillon = await startCarillon({ smscPort, callbackPort, folder, profile });
  const target = carillon.target as Target;
  const traffic = new Traffic();
  const rows = KINDS.flatMap((kind): Compared[] => [
    { kind, label: 'empty', isBase: true, flows: [] },
    { kind, label: `${show(stored)} messages stored`, isBase: false, flows: [] },
  ]);
  const measure = async (isBase: boolean) => {
    const now = rows.filter((one) => one.isBase === isBase);
    await measureRounds(options, carillon, traffic, now);
    await quiet(field, [carillon]);
  };

  progress('warming up');
  for (const kind of KINDS) await flow(field, carillon, traffic.plan(kind, Math.min(messages, 50_000)));
  await measure(true);
  const few = Math.min(FEW, stored);
  const reports = [
    { stored: few, took: await reported(target, await fill(folder, target.username, few, progress)) },
  ];
  const all = await fill(folder, target.username, stored, progress);
  await around(folder, progress);
  await quiet(field, [carillon]);
  reports.push({ stored, took: await reported(target, all) });
  progress('searching');
  const searches = await searched(carillon, target, all);
  await measure(false);
  await carillon.stop();
  return { rows, stored, reports, searches };
}

async function around(folder: string, progress: (line: string) => void): Promise<void> {
  const database = await attachEmbedded(folder);
  const sql = connect(database.target, { max: 1, statementMs: HOUR });
  try {
    await storeAround(sql, progress);
  } finally {
    await sql.end();
  }
}

async function reported(target: Target, messages: StoredMessages): Promise<Answered> {
  for (let i = 0; i < WARM_UP; i++) await ask(target, messages, 'json');
  const took: number[] = [];
  for (let i = 0; i < REPORTS; i++) took.push(await ask(target, messages, 'json'));
  return answered(took);
}

/** Criteria of a search, and whether it must find a message. */
type Search = () => { readonly query: Record<string, string>; readonly finds: boolean };

function searchesOf(messages: StoredMessages): Record<string, Search> {
  const iso = (time: number) => new Date(time).toISOString();
  return {
    'the newest': () => ({ query: {}, finds: true }),
    'a page further back': () => ({ query: { after: String(messages.one().id) }, finds: false }),
    'a number': () => ({ query: { phone: `+${messages.one().recipient}` }, finds: true }),
    'an external id': () => ({ query: { external_id: messages.one().externalId }, finds: true }),
    'a shipment': () => ({ query: { shipment_id: String(messages.one().shipmentId) }, finds: true }),
    'a campaign': () => ({
      query: { campaign_name: `campaign ${Math.floor(Math.random() * CAMPAIGNS)}` },
      finds: false,
    }),
    'an hour': () => {
      const { at } = messages.one();
      return { query: { from: iso(at - HOUR), to: iso(at + 1_000) }, finds: true };
    },
    'those that failed': () => ({ query: { state: 'failed' }, finds: true }),
    'those that failed, further back': () => ({
      query: { state: 'failed', after: String(messages.one().id) },
      finds: false,
    }),
    'those that wait': () => ({ query: { state: 'waiting' }, finds: false }),
    'those of another channel': () => ({ query: { channel: 'mail' }, finds: false }),
    'those that failed of a campaign': () => ({
      query: { state: 'failed', campaign_name: `campaign ${Math.floor(Math.random() * CAMPAIGNS)}` },
      finds: false,
    }),
  };
}

/** Runs the searches in turns, one after the other. Throws when one fails, or finds nothing although it must. */
async function searched(
  carillon: Carillon,
  { token, port }: Target,
  messages: StoredMessages,
): Promise<Grown['searches']> {
  const kinds = Object.entries(searchesOf(messages)).map(([what, search]) => ({
    what,
    search,
    times: [] as number[],
  }));
  for (let i = 0; i < WARM_UP + SEARCHES; i++) {
    for (const { what, search, times } of kinds) {
      const { query, finds } = search();
      const parameters = new URLSearchParams(query);
      const startedAt = performance.now();
      const response = await fetch(`http://127.0.0.1:${port}/v1/messages?${parameters}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const text = await response.text();
      if (i >= WARM_UP) times.push(performance.now() - startedAt);
      const found = response.ok ? (JSON.parse(text) as { messages: unknown[] }).messages.length : undefined;
      if (found === undefined || (finds && found === 0))
        throw new Error(`${carillon.name} searched for ${what} and said: ${text.slice(0, 200)}`);
    }
  }
  return kinds.map(({ what, times }) => ({ what, took: answered(times) }));
}
