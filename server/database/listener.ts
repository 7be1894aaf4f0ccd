import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import type { Sql } from './connection.ts';

const RETRY_MS = 200;

/** Hears notifications until it is stopped. */
export interface Listener {
  stop(): Promise<void>;
}

/**
 * Hears the database's notifications on a connection of its own, and goes on when that was lost, however long the
 * database is away (`sql.listen` of postgres.js tries once). What is notified meanwhile is missed. `heard` has a
 * function for each channel (plain names: they are part of the statement). Rejects when the first LISTEN fails.
 */
export async function listen(
  sql: Sql,
  heard: Readonly<Record<string, (payload: string) => void>>,
): Promise<Listener> {
  let stopped = false;
  let listening = false;
  // As postgres.js does it itself: the options of the pool, for a pool of one connection that is never closed for age.
  const own = postgres({
    ...sql.options,
    max: 1,
    idle_timeout: null,
    max_lifetime: null,
    fetch_types: false,
    backoff: () => RETRY_MS / 1_000,
    onnotify: (channel: string, payload: string) => heard[channel]?.(payload),
    onclose() {
      if (!listening) return;
      listening = false;
      void again();
    },
  } as unknown as postgres.Options<Record<string, never>>);

  async function begin(): Promise<void> {
    await own.unsafe(
      Object.keys(heard)
        .map((channel) => `LISTEN ${channel}`)
        .join(';'),
    );
    listening = true;
  }

  async function again(): Promise<void> {
    while (!stopped && !listening) {
      await begin().catch(() => pause(RETRY_MS));
    }
  }

  try {
    await begin();
  } catch (error) {
    stopped = true;
    await own.end({ timeout: 0 });
    throw error;
  }
  return {
    async stop() {
      stopped = true;
      await own.end({ timeout: 0 });
    },
  };
}
