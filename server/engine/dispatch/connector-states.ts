import { numbers, texts } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { fenceByName, isLeased } from '../../database/leases.ts';
import type { ConnectorFault } from '../../kit/connector-faults.ts';
import { tlsReasons } from '../../kit/tls-faults.ts';
import { connectorOfPart } from '../carriers/parts.ts';
import { ASSUMED_RATE } from '../messages/finishing-time.ts';

/** Milliseconds between two writes of a connector's state: at least TELL_MS, at most REPEAT_MS. */
export const TELL_MS = 1_000;
const REPEAT_MS = 5_000;
/** Milliseconds after which a connector that no process holds is considered removed. */
const FORGET_MS = 86_400_000;

/** State of a connector in the process that holds it. */
interface HeldConnectorNow {
  /** Name of its part (connector-leases.ts). */
  readonly name: string;
  /** Claim of its lease (database/leases.ts). */
  readonly claim: string;
  /** Whether messages can be submitted to it. */
  readonly up: boolean;
  /** Number of messages submitted without a stored outcome, and its maximum. */
  readonly inFlight: number;
  readonly window: number;
  /** Messages accepted since this process started. */
  readonly taken: number;
  /** Whether it can accept no more now: because of its window, its rate, or a pause that the network asked for. */
  readonly isFull: boolean;
  /** Why nothing can be submitted to it; null when it works. */
  readonly problem: ConnectorFault | null;
}

/** State of a connector for all processes, about a second old. */
export interface ConnectorState {
  readonly name: string;
  /** `free`: no process holds it. */
  readonly state: 'up' | 'down' | 'free';
  readonly inFlight: number;
  readonly window: number;
  /** Messages accepted since its process holds it, and the recent number per second. */
  readonly taken: number;
  readonly rate: number;
  /**
   * Why nothing can be submitted; `since` is the time at which its process noticed, in milliseconds since the epoch.
   */
  readonly problem: (ConnectorFault & { readonly since: number }) | null;
  /** Time of this state, in milliseconds since the epoch, by the real clock, like all times of processes. */
  readonly toldAt: number;
}

interface ShownState extends HeldConnectorNow {
  readonly rate: number;
  /** Whether it was full at the start and the end of the second: then the rate is its maximum. */
  readonly wasFull: boolean;
  readonly at: number;
}

/**
 * Stores the states of this process's connectors: one statement for all that have changed, on a connection that does
 * not wait for the disk.
 */
export class ConnectorStates {
  readonly #sql: Sql;
  readonly #told = new Map<string, ShownState>();
  #lookedAt = performance.now();
  #before = new Map<string, HeldConnectorNow>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Stores the states of connectors. Call it about every second. Rejects with errors of the database. */
  async tell(connectors: readonly HeldConnectorNow[]): Promise<void> {
    const at = performance.now();
    const seconds = Math.max(0.001, (at - this.#lookedAt) / 1_000);
    const now = connectors.map((connector) => ({
      ...connector,
      rate:
        Math.max(0, connector.taken - (this.#before.get(connector.name)?.taken ?? connector.taken)) / seconds,
      wasFull: connector.isFull && this.#before.get(connector.name)?.isFull === true,
      at,
    }));
    this.#lookedAt = at;
    this.#before = new Map(connectors.map((connector) => [connector.name, connector]));
    const changed = now.filter((connector) => isChanged(connector, this.#told.get(connector.name)));
    if (changed.length === 0) return;
    await this.#sql`
      UPDATE links l SET up = u.up, in_flight = u.in_flight, send_window = u.send_window, taken = u.taken, rate = u.rate,
        problem = u.problem, problem_detail = u.problem_detail, told_at = ${leaseClock.now()}, fault = u.fault,
        fault_detail = u.fault_detail, fault_at = CASE
          WHEN u.fault IS NULL THEN NULL WHEN l.fault = u.fault THEN l.fault_at ELSE ${leaseClock.now()} END, observed_rate = CASE
          WHEN u.rate = 0 THEN l.observed_rate
          WHEN u.was_full THEN (coalesce(l.observed_rate, u.rate) + u.rate) / 2
          ELSE greatest(l.observed_rate, CASE WHEN u.rate > ${ASSUMED_RATE} THEN u.rate END) END
      FROM unnest(${texts(changed.map(({ name }) => name))}::text[],
        ${texts(changed.map(({ up }) => (up ? 't' : 'f')))}::boolean[],
        ${numbers(changed.map(({ inFlight }) => inFlight))}::integer[],
        ${numbers(changed.map(({ window }) => window))}::integer[], ${numbers(changed.map(({ taken }) => taken))}::bigint[],
        ${numbers(changed.map(({ rate }) => Math.round(rate * 10) / 10))}::real[],
        ${texts(changed.map(({ wasFull }) => (wasFull ? 't' : 'f')))}::boolean[],
        ${texts(changed.map(({ problem }) => (isTls(problem) ? problem.reason : null)))}::text[],
        ${texts(changed.map(({ problem }) => (isTls(problem) ? problem.detail : null)))}::text[],
        ${texts(changed.map(({ problem }) => problem?.reason ?? null))}::text[],
        ${texts(changed.map(({ problem }) => problem?.detail ?? null))}::text[], ${texts(changed.map(({ claim }) => claim))}::text[])
        AS u (name, up, in_flight, send_window, taken, rate, was_full, problem, problem_detail, fault, fault_detail, owner)
      WHERE l.name = u.name AND ${fenceByName.isHeld(this.#sql)}`;
    for (const connector of changed) this.#told.set(connector.name, connector);
  }
}

/** The previous version reads only TLS faults, from separate columns. */
const isTls = (problem: ConnectorFault | null): problem is ConnectorFault =>
  problem !== null && (tlsReasons as readonly string[]).includes(problem.reason);

function isChanged(connector: ShownState, told: ShownState | undefined): boolean {
  if (!told || connector.at - told.at >= REPEAT_MS) return true;
  return (
    connector.up !== told.up ||
    connector.inFlight !== told.inFlight ||
    connector.taken !== told.taken ||
    connector.rate !== told.rate ||
    connector.problem?.reason !== told.problem?.reason ||
    connector.problem?.detail !== told.problem?.detail
  );
}

/** Lists the connectors of all processes, by name; the parts of a connector are one. */
export async function listConnectorStates(sql: Sql): Promise<ConnectorState[]> {
  const parts = await listParts(sql);
  return [...Map.groupBy(parts, ({ name }) => connectorOfPart(name))].map(([name, own]) =>
    together(name, own),
  );
}

/** Returns the state of a connector from those of its parts: it is up when one of them is. */
function together(name: string, parts: readonly ConnectorState[]): ConnectorState {
  const held = parts.filter(({ state }) => state !== 'free');
  const counted = held.length > 0 ? held : parts.slice(0, 1);
  const sum = (of: (part: ConnectorState) => number) => counted.reduce((all, part) => all + of(part), 0);
  return {
    name,
    state: counted.find(({ state }) => state === 'up')?.state ?? counted[0]!.state,
    inFlight: sum(({ inFlight }) => inFlight),
    window: sum(({ window }) => window),
    taken: sum(({ taken }) => taken),
    rate: sum(({ rate }) => rate),
    problem: counted.find(({ problem }) => problem)?.problem ?? null,
    toldAt: Math.max(...counted.map(({ toldAt }) => toldAt)),
  };
}

async function listParts(sql: Sql): Promise<ConnectorState[]> {
  const leaseNow = leaseClock.now();
  const rows = await sql<
    (Omit<ConnectorState, 'state' | 'problem'> & {
      held: boolean;
      up: boolean;
      reason: ConnectorFault['reason'] | null;
      detail: string | null;
      since: number | null;
    })[]
  >`
    SELECT name, ${isLeased(sql, leaseNow)} AS held, up, in_flight AS "inFlight", send_window AS "window", taken, rate,
      fault AS reason, fault_detail AS detail, fault_at AS since, told_at AS "toldAt"
    FROM links WHERE ${isLeased(sql, leaseNow)} OR told_at >= ${leaseNow - FORGET_MS} ORDER BY name`;
  return rows.map(({ held, up, reason, detail, since, ...row }) => {
    const state = held ? (up ? 'up' : 'down') : 'free';
    const problem = reason && { reason, detail: detail ?? '', since: since ?? row.toldAt };
    // A free connector keeps its last fault: a process releases a connector that stays down.
    if (state === 'free') return { ...row, state, inFlight: 0, rate: 0, problem };
    return { ...row, state, problem };
  });
}
