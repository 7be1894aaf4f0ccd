import { setTimeout as pause } from 'node:timers/promises';
import { supervise } from '../kit/owners.ts';
import { type Sql, sessionOptions } from './connection.ts';
import type { Rows } from './session.ts';
import { Session } from './session.ts';

const RETRY_MS = 200;
/** Milliseconds between two pings: a connection that only listens would never notice that it was cut. */
const PULSE_MS = 10_000;
const PULSE_DEADLINE_MS = 5_000;

/** A listening connection. */
interface Opened {
  /** Resolves when it is lost. */
  readonly lost: Promise<void>;
  close(): Promise<void>;
}

/** Receives notifications until it is stopped. */
export interface Listener {
  stop(): Promise<void>;
}

/**
 * Receives the database's notifications on a separate connection, and reconnects after each loss, however long the
 * database is unavailable. Notifications in between are lost. `heard` has a function per channel (plain names, since
 * they are part of the statement). Rejects when the first LISTEN fails.
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

  /** Listens on a new connection. The result has a promise that resolves when that connection is lost. */
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
