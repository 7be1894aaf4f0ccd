import { setTimeout as pause } from 'node:timers/promises';
import { supervise } from '../owners.ts';
import { type Sql, sessionOptions } from './connection.ts';
import type { Rows } from './session.ts';
import { Session } from './session.ts';

const RETRY_MS = 200;
/** So often the server is asked for a sign of life: a connection that only listens would never hear that it is cut. */
const PULSE_MS = 10_000;
const PULSE_DEADLINE_MS = 5_000;

/** A connection that listens. */
interface Opened {
  /** Fulfilled when it is lost. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

/** Hears notifications until it is stopped. */
export interface Listener {
  stop(): Promise<void>;
}

/**
 * Hears the database's notifications on a connection of its own, and goes on when that was lost, however long the
 * database is away. What is notified meanwhile is missed. `heard` has a function for each channel (plain names: they are
 * part of the statement). Rejects when the first LISTEN fails.
 */
export async function listen(
  sql: Sql,
  heard: Readonly<Record<string, (payload: string) => void>>,
): Promise<Listener> {
  const { target, connect } = sql.options;
  const statement = Object.keys(heard)
    .map((channel) => `LISTEN ${channel}`)
    .join(';');
  const stopping = new AbortController();
  let session: Session | undefined;

  /** Listens on a new connection; what is returned has a promise that is fulfilled when that connection is lost. */
  async function begin(): Promise<Opened> {
    const opened = await Session.open(target, { ...sessionOptions(connect), deadlineMs: PULSE_DEADLINE_MS });
    const lost = new Promise<void>((resolve) => opened.whenLost(() => resolve()));
    opened.onNotification = (channel, payload) => heard[channel]?.(payload);
    session = opened;
    try {
      await ask(opened, statement);
    } catch (error) {
      await opened.close();
      throw error;
    }
    return { lost, close: () => opened.close() };
  }

  async function keep({ lost }: Opened): Promise<void> {
    for (let gone = lost; ; ) {
      await gone;
      session = undefined;
      let next: Opened | undefined;
      while (!next) {
        if (stopping.signal.aborted) return;
        next = await supervise('listener', begin).catch(() => undefined);
        if (!next) await pause(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {});
      }
      if (stopping.signal.aborted) await next.close();
      gone = next.lost;
    }
  }

  const kept = keep(await begin());
  const pulse = setInterval(() => {
    if (session) ask(session, 'SELECT 1').catch(() => {});
  }, PULSE_MS).unref();
  return {
    async stop() {
      stopping.abort();
      clearInterval(pulse);
      await session?.close();
      await kept;
    },
  };
}

function ask(session: Session, statement: string): Promise<Rows<object>> {
  return new Promise((resolve, reject) => {
    session.execute({ statement, origin: () => undefined, resolve, reject });
  });
}
