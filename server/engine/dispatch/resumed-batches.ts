import { setTimeout as pause } from 'node:timers/promises';
import { byPlacement, type Placements } from '../../database/placements.ts';
import type { Context } from '../../kit/context.ts';
import { supervise } from '../../kit/owners.ts';
import type { DueMessage, LoadedBatch } from './batches.ts';
import { markSubmitting, type SubmittingMark } from './broken-leases.ts';
import type { FairQueue } from './fair-queue.ts';

/** Messages of a batch marked at a time: few, since a crash counts as one more copy for each marked message. */
const CHUNK = 50;
/** Maximum batches waiting for their mark. More would be marked long before they are submitted. */
const MAX_WAITING = 5;
const RETRY_MS = 200;

interface ResumedBatchesDeps extends Pick<Context, 'asyncCommitSql' | 'log'> {
  readonly placements: Placements;
  /** Identifies this process in leases. */
  readonly owner: string;
  /** Called when messages of a batch may be submitted. */
  readonly ready: (batch: LoadedBatch, messages: readonly DueMessage[]) => void;
  /** Called when another process has taken the batch. */
  readonly lost: (batch: LoadedBatch) => void;
}

/**
 * After a broken lease, stores which messages of a batch are about to be submitted, just before the submission. If this
 * process is killed too, only these count as submitted once more: a crash loop abandons the messages that were being
 * submitted, and not those waiting behind them.
 */
export class ResumedBatches {
  readonly #deps: ResumedBatchesDeps;
  readonly #waiting = new Map<LoadedBatch, readonly DueMessage[]>();
  #running = false;

  constructor(deps: ResumedBatchesDeps) {
    this.#deps = deps;
  }

  /** Whether a message must wait until it is marked. */
  mustWait({ batch, id }: DueMessage): boolean {
    return batch.breaks > 0 && id > (batch.markedTo ?? 0);
  }

  /**
   * Takes a message and the other messages of its batch from `queue`, until the first of them are marked. If enough
   * batches are waiting already, returns the message to the queue and returns false.
   */
  keep(message: DueMessage, queue: FairQueue): boolean {
    const { batch } = message;
    // Messages of a batch may wait in several queues, one for each choice of connectors.
    const before = this.#waiting.get(batch) ?? [];
    if (before.length === 0 && this.#waiting.size >= MAX_WAITING) {
      queue.giveBack(message);
      return false;
    }
    this.#waiting.set(batch, [...before, message, ...queue.remove((other) => other.batch === batch)]);
    if (!this.#running) {
      this.#running = true;
      void this.#run();
    }
    return true;
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      const waiting = [...this.#waiting];
      const marks = waiting.map(([batch, messages]) => ({
        batch,
        to: Math.max(...messages.slice(0, CHUNK).map(({ id }) => id)),
      }));
      const ours = await this.#mark(marks);
      for (const [index, [batch]] of waiting.entries()) {
        // Others of the batch may have come during the statement.
        const messages = this.#waiting.get(batch)!;
        this.#waiting.delete(batch);
        if (!ours.has(batch.id)) {
          this.#deps.lost(batch);
          continue;
        }
        batch.markedTo = marks[index]!.to;
        this.#deps.ready(batch, messages);
      }
    }
    this.#running = false;
  }

  /**
   * Stores marks, repeatedly during a database outage. Returns the ids of the batches that this process still leases.
   */
  async #mark(marks: readonly SubmittingMark[]): Promise<Set<number>> {
    const { placements, asyncCommitSql, owner, log } = this.#deps;
    for (;;) {
      try {
        return await supervise('loader', async () => {
          const parts = await byPlacement(placements, marks, ({ batch }) => batch.accountId);
          const marked = await Promise.all(
            parts.map((part) =>
              markSubmitting(placements.sqlOf(part[0]!.batch.accountId, asyncCommitSql), owner, part),
            ),
          );
          return new Set(marked.flatMap((ids) => [...ids]));
        });
      } catch (error) {
        log.warn({ err: error, batches: marks.length }, 'resumed batches wait for the database');
        await pause(RETRY_MS);
      }
    }
  }
}
