import { setTimeout as pause } from 'node:timers/promises';
import { type Sql, sessionOptions } from './connection.ts';
import { ConnectionError } from './errors.ts';
import type { Rows } from './session.ts';
import { Session } from './session.ts';

const RETRY_MS = 200;
/** So often the server is asked for a sign of life: a connection that only listens would never hear that it is cut. */
const PULSE_MS = 10_000;
const PULSE_DEADLINE_MS = 5_000;

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

  async function begin(): Promise<void> {
    const opened = await Session.open(target, { ...sessionOptions(connect), deadlineMs: PULSE_DEADLINE_MS });
    if (stopping.signal.aborted) {
      await opened.close();
      return;
    }
    opened.onNotification = (channel, payload) => heard[channel]?.(payload);
    await ask(opened, statement);
    session = opened;
    opened.onLost = () => {
      if (session === opened) session = undefined;
      void again();
    };
    if (!opened.isOpen) throw new ConnectionError('CONNECTION_LOST', 'the connection was lost at once');
  }

  async function again(): Promise<void> {
    while (!stopping.signal.aborted && !session) {
      await begin().catch(() => pause(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {}));
    }
  }

  await begin();
  const pulse = setInterval(() => {
    if (session) ask(session, 'SELECT 1').catch(() => {});
  }, PULSE_MS).unref();
  return {
    async stop() {
      stopping.abort();
      clearInterval(pulse);
      await session?.close();
    },
  };
}

function ask(session: Session, statement: string): Promise<Rows<object>> {
  return new Promise((resolve, reject) => {
    session.execute({ statement, origin: () => undefined, resolve, reject });
  });
}
