import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from '../../../client/src/index.ts';
import { print } from '../with-app-context.ts';
import { connect, type RemoteOptions } from './connection.ts';

type Logged = Row<'GET /v1/request-log'>;

/** How often the log is asked for what is new. */
const LOOK_MS = 1_000;
/** Entries are written half a second after the answers, by several processes: those of so long ago are looked for again. */
const MARGIN_MS = 10_000;

interface LogsOptions extends RemoteOptions {
  readonly limit: number;
  readonly follow?: boolean;
  readonly refused?: boolean;
  readonly operation?: string;
  readonly status?: string;
}

/** `logs`: the last requests with the tokens of the account, the oldest first; with `follow` also those to come. */
export async function logs({
  limit,
  follow,
  refused,
  operation,
  status,
  ...options
}: LogsOptions): Promise<void> {
  const client = connect(options);
  const filter = {
    ...(refused && { refused: 'true' as const }),
    ...(operation !== undefined && { operation }),
    ...(status !== undefined && { status }),
  };
  const { requests } = await client.requests.list({ ...filter, limit });
  const shown = new Set<string>();
  const show = (rows: readonly Logged[]) => {
    for (const row of rows) {
      shown.add(row.id);
      print(options.json, row, lineOf(row));
    }
  };
  show(requests.toReversed());
  if (!follow) return;
  // By the clock of the service.
  let from = Date.parse(requests[0]?.at ?? new Date(Date.now() - MARGIN_MS).toISOString());
  for (;;) {
    await pause(LOOK_MS);
    const fresh: Logged[] = [];
    const span = { ...filter, from: new Date(from - MARGIN_MS).toISOString() };
    for await (const row of client.requests.list(span)) if (!shown.has(row.id)) fresh.push(row);
    // What this command asks for itself is no news.
    show(fresh.filter((row) => row.operation !== 'listRequests').reverse());
    for (const { id, at } of fresh) {
      shown.add(id);
      from = Math.max(from, Date.parse(at));
    }
  }
}

const lineOf = ({ at, api, operation, status, http_status, duration_ms, repeated, request_id }: Logged) =>
  `${at}  ${http_status}  ${api} ${operation}  ${status}${repeated ? ' repeated' : ''}  ${Math.round(duration_ms)} ms  ${request_id}`;
