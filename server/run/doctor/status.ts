import { listProcesses } from '../../database/process-reports.ts';
import { type ConnectorState, listConnectorStates } from '../../engine/dispatch/connector-states.ts';
import { queuesByLane } from '../../engine/dispatch/queues.ts';
import { laneNames } from '../../engine/messages/lanes.ts';
import { listHeldAccounts } from '../../engine/suspension/held-accounts.ts';
import { timeOfId } from '../../kit/ids.ts';
import type { AppContext } from '../app-context.ts';

/** The state of a running service, for `carillon status`. Field names are those of its JSON. */
export interface ServiceStatus {
  /** Time of the look, ISO 8601. */
  readonly at: string;
  /** Number of the last migration of the database. */
  readonly schema: number;
  readonly processes: readonly ProcessStatus[];
  readonly connectors: readonly ConnectorStatus[];
  readonly queues: readonly QueueStatus[];
  readonly suspended: {
    /** Suspended accounts. */
    readonly total: number;
    /** Those with the most held messages, 50 at most. */
    readonly accounts: readonly SuspendedStatus[];
  };
  readonly webhooks: {
    /** Events that wait to be sent, and how long the oldest of them has waited. */
    readonly waiting: number;
    readonly oldest_seconds: number;
    /** Endpoints by state. */
    readonly active: number;
    readonly failing: number;
    readonly off: number;
  };
  /** Results of messages that could not be stored. */
  readonly quarantine: number;
}

interface ProcessStatus {
  readonly number: number;
  /** Null for a command and for a process that is starting or of version 0.1.0. */
  readonly roles: readonly string[] | null;
  readonly host: string | null;
  readonly pid: number | null;
  readonly version: string | null;
  readonly age_seconds: number | null;
  readonly problems: readonly string[];
  readonly errors: number;
  readonly last_error: { readonly text: string; readonly at: string } | null;
}

interface ConnectorStatus {
  readonly name: string;
  readonly state: ConnectorState['state'];
  readonly rate: number;
  readonly in_flight: number;
  readonly window: number;
  readonly problem: { readonly reason: string; readonly detail: string; readonly since: string } | null;
}

interface QueueStatus {
  readonly lane: string;
  readonly due: number;
  readonly oldest_seconds: number;
  readonly later: number;
  /** Messages of campaigns that are paused. */
  readonly paused: number;
  /** Messages of suspended accounts. */
  readonly held: number;
}

interface SuspendedStatus {
  readonly id: string;
  readonly username: string;
  /** Null for the first second of a suspension. */
  readonly since: string | null;
  readonly messages: number;
  readonly campaigns: number;
  /** Whether the held work is being cancelled and refunded. */
  readonly cancelling: boolean;
}

const isoTime = (at: number) => new Date(at).toISOString();

/** Reads the state of the service from its database. It changes nothing. Throws what the database throws. */
export async function readStatus({ database, clock }: AppContext): Promise<ServiceStatus> {
  const { sql } = database;
  const now = clock.now();
  const [processes, connectors, lanes, held, webhooks, quarantine] = await Promise.all([
    listProcesses(sql),
    listConnectorStates(sql),
    queuesByLane(sql, now),
    listHeldAccounts(sql),
    readWebhooks(database.sql, now),
    sql<{ count: number }[]>`SELECT count(*)::int AS count FROM quarantine`,
  ]);
  return {
    at: isoTime(Date.now()),
    schema: database.schema.last,
    processes: processes.map(({ number, ageMs, report }) => ({
      number,
      roles: report?.roles ?? null,
      host: report?.host ?? null,
      pid: report?.pid ?? null,
      version: report?.version ?? null,
      age_seconds: ageMs === null ? null : Math.floor(ageMs / 1_000),
      problems: report?.problems ?? [],
      errors: report?.errors ?? 0,
      last_error: report?.lastError
        ? { text: report.lastError.text, at: isoTime(report.lastError.at) }
        : null,
    })),
    connectors: connectors.map(({ name, state, rate, inFlight, window, problem }) => ({
      name,
      state,
      rate,
      in_flight: inFlight,
      window,
      problem: problem && { reason: problem.reason, detail: problem.detail, since: isoTime(problem.since) },
    })),
    queues: laneNames.map((lane, index) => {
      const queue = lanes.find((one) => one.lane === index);
      return {
        lane,
        due: queue?.due ?? 0,
        oldest_seconds: Math.floor((queue?.oldestMs ?? 0) / 1_000),
        later: queue?.later ?? 0,
        paused: queue?.paused ?? 0,
        held: queue?.resting ?? 0,
      };
    }),
    suspended: {
      total: held.total,
      accounts: held.accounts.map(({ id, username, since, messages, campaigns, isCancelling }) => ({
        id: String(id),
        username,
        since: since === null ? null : isoTime(since),
        messages,
        campaigns,
        cancelling: isCancelling,
      })),
    },
    webhooks,
    quarantine: quarantine[0]!.count,
  };
}

async function readWebhooks(sql: AppContext['sql'], now: number): Promise<ServiceStatus['webhooks']> {
  const [[queue], [endpoints]] = await Promise.all([
    sql<{ waiting: number; oldest: number | null }[]>`
      SELECT coalesce(sum(count), 0)::int AS waiting, min(batch_id) AS oldest FROM event_queue`,
    sql<{ active: number; failing: number; off: number }[]>`
      SELECT count(*) FILTER (WHERE state <> 'off' AND failing_since IS NULL)::int AS active,
        count(*) FILTER (WHERE state <> 'off' AND failing_since IS NOT NULL)::int AS failing,
        count(*) FILTER (WHERE state = 'off')::int AS off FROM event_endpoints`,
  ]);
  const { waiting, oldest } = queue!;
  const oldestMs = oldest === null ? 0 : Math.max(0, now - timeOfId(oldest));
  return { waiting, oldest_seconds: Math.floor(oldestMs / 1_000), ...endpoints! };
}
