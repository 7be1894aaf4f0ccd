import cluster from 'node:cluster';
import { gatherMetricsBy, ownMetrics, type ProcessMetrics } from '../../kit/observability/metrics.ts';
import type { ProcessGroup } from '../../kit/process-roles.ts';
import type { ToProcess, ToSupervisor } from './messages.ts';

/** Environment variable by which the supervisor tells a process its place in the group. */
export const GROUP_VARIABLE = 'CARILLON_PROCESS_GROUP';
/** Milliseconds for the metrics of all processes, more than the supervisor waits for each. */
const GATHER_MS = 3_000;

/** Returns the place of this process in its group; undefined unless a supervisor has started it. */
export function placeInGroup(): ProcessGroup | undefined {
  const place = process.env[GROUP_VARIABLE];
  return cluster.isWorker && place !== undefined ? (JSON.parse(place) as ProcessGroup) : undefined;
}

interface Handlers {
  /** Ends the leases of processes that have ended. */
  readonly endLeases: (boots: readonly string[]) => Promise<void>;
  /** Takes work and connectors whose leases have ended. */
  readonly look: () => void;
}

/** The connection of a process to its supervisor. */
export interface GroupProcess {
  /** Tells the supervisor that this process answers requests. */
  ready(): void;
}

/**
 * Connects this process to its supervisor: `/metrics` shows all processes of the group from now on.
 *
 * @param boot name of this process in leases
 */
export function joinGroup(boot: string, { endLeases, look }: Handlers): GroupProcess {
  const asked = new Map<number, (all: readonly ProcessMetrics[]) => void>();
  let lastId = 0;
  process.on('message', (message: ToProcess) => {
    if (message.kind === 'measure') {
      const { id } = message;
      void ownMetrics().then((metrics) => tell({ kind: 'measured', id, metrics }));
    } else if (message.kind === 'gathered') asked.get(message.id)?.(message.all);
    else if (message.kind === 'endLeases') {
      void endLeases(message.boots).then(() => tell({ kind: 'leasesEnded' }));
    } else if (message.kind === 'look') look();
  });
  gatherMetricsBy(async () => {
    const id = ++lastId;
    const { promise, resolve } = Promise.withResolvers<readonly ProcessMetrics[] | undefined>();
    asked.set(id, resolve);
    const late = setTimeout(() => resolve(undefined), GATHER_MS).unref();
    tell({ kind: 'gather', id });
    const all = await promise;
    clearTimeout(late);
    asked.delete(id);
    return all ?? [await ownMetrics()];
  });
  tell({ kind: 'opened', boot });
  return { ready: () => tell({ kind: 'ready' }) };
}

/** Sends a message, unless the supervisor has ended. */
function tell(message: ToSupervisor): void {
  if (process.connected) process.send!(message);
}
