import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../bench/support/wait.ts';
import { channels } from '../../server/channels/index.ts';
import { systemClock } from '../../server/kit/clock.ts';
import { readConfig } from '../../server/kit/config.ts';
import { Lifecycle, type Stage } from '../../server/kit/lifecycle.ts';
import { runningLoops } from '../../server/kit/loop.ts';
import { createLogger } from '../../server/kit/observability/log.ts';
import { roles } from '../../server/kit/process-roles.ts';
import { closeAppContext } from '../../server/run/app-context.ts';
import { openModules } from '../../server/run/modules.ts';
import { openAppContext } from '../../server/run/open-app-context.ts';
import { stagesOf } from '../../server/run/service.ts';
import { Relay } from '../channels/mail/relay.ts';
import { startNetwork } from '../faults/support.ts';
import { createDatabase } from '../support/database.ts';
import { databaseUrl } from '../support/process.ts';
import { SECRET_KEY } from '../support/secrets.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * The contract of stages, for all of `stagesOf`: a service stops while each of its stages starts, and when all run. It leaves no
 * loops, sockets, timers, sessions or leases, and another one starts after it.
 */

/** Milliseconds for work in flight: nothing is in flight. */
const GRACE_MS = 5_000;
const { sql, target } = await createDatabase();
const network = await startNetwork();
const relay = new Relay();
await relay.open();
const config = readConfig(
  {
    DATABASE_URL: databaseUrl(target),
    DATABASE_CONNECTIONS: '6',
    SECRET_KEY,
    PORT: '0',
    METRICS_PORT: String(await freePort()),
    SMPP_URL: network.url(),
    MAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}`,
    BOUNCE_PORT: String(await freePort()),
    MEDIA_DIR: join(tmpdir(), `media-${target.database}`),
    ERASURES_DIR: join(tmpdir(), `erasures-${target.database}`),
  },
  channels,
);

/** Opens a service with all roles; nothing is started. */
async function open() {
  const appContext = await openAppContext(config, channels, createLogger('silent'), async () => systemClock);
  const modules = await openModules(appContext, roles, undefined);
  const stages = stagesOf(appContext, modules, roles, assert.ifError);
  return { stages, close: () => closeAppContext(appContext) };
}

/** What keeps this process busy, by kind. */
function resources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  const { Timeout = 0, Immediate: _immediate, ...others } = counts;
  return { ...others, Timeout };
}

/** Waits until a stopped service has left nothing. */
async function assertGone(before: Record<string, number>, when: string): Promise<void> {
  assert.deepEqual(
    runningLoops().map(({ owner }) => owner),
    [],
    when,
  );
  const leased = await sql<{ name: string; held: boolean }[]>`
    SELECT 'links' AS name, EXISTS (SELECT FROM links WHERE lease_owner IS NOT NULL) AS held
    UNION ALL SELECT 'work', EXISTS (SELECT FROM work WHERE lease_owner IS NOT NULL)
    UNION ALL SELECT 'processes', EXISTS (SELECT FROM processes WHERE heartbeat_at IS NOT NULL)`;
  assert.deepEqual(
    leased.filter(({ held }) => held).map(({ name }) => name),
    [],
    when,
  );
  await waitFor(`${when}: the carrier has no session`, () => network.smsc.boundSessions === 0);
  await waitFor(`${when}: the database has no session`, async () => {
    const rows = await sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'carillon' AND pid <> pg_backend_pid()`;
    return rows.length === 0;
  });
  let left = resources();
  await waitFor(`${when}: no sockets and timers`, () => {
    left = resources();
    return Object.entries(left).every(([kind, count]) => count <= (before[kind] ?? 0));
  }).catch(() => assert.deepEqual(left, before, when));
}

/** Calls `stop` while the stage at this index starts. */
const stoppedAt = (stages: readonly Stage[], index: number, stop: () => void): Stage[] =>
  stages.map((stage, at) => ({
    ...stage,
    start() {
      if (at !== index) return stage.start?.();
      const started = stage.start?.();
      stop();
      return started;
    },
  }));

test('a service stops while any of its stages starts, and leaves nothing', async () => {
  const first = await open();
  const running = new Lifecycle(first.stages);
  await running.start();
  await waitFor('the carrier is connected', () => network.smsc.boundSessions === 1);
  await Promise.all([running.stop(GRACE_MS), running.stop(0)]);
  await first.close();
  // With the connection of this test.
  await sql`SELECT`;
  const before = resources();
  await assertGone(before, 'a service that ran');
  const { length } = first.stages;
  for (let index = 0; index < length; index++) {
    const { stages, close } = await open();
    const { name } = stages[index]!;
    let stopped: Promise<void> | undefined;
    const lifecycle = new Lifecycle(
      stoppedAt(stages, index, () => {
        stopped = lifecycle.stop(GRACE_MS);
      }),
    );
    await lifecycle.start().catch((error: Error) => assert.match(error.message, /stopped during the start/));
    await stopped;
    await close();
    await assertGone(before, `a service that stopped while "${name}" started`);
  }
});

test('each stage can be stopped without a start, and twice', async () => {
  const { stages, close } = await open();
  const before = resources();
  for (let round = 0; round < 2; round++) for (const stage of stages.toReversed()) await stage.stop?.(0);
  await close();
  await assertGone(before, 'a service that was not started');
});

test('a service starts and stops many times', async () => {
  const before = resources();
  for (let round = 0; round < 5; round++) {
    const { stages, close } = await open();
    const lifecycle = new Lifecycle(stages);
    await lifecycle.start();
    await waitFor('the carrier is connected', () => network.smsc.boundSessions === 1);
    await lifecycle.stop(GRACE_MS);
    await close();
    await assertGone(before, `round ${round}`);
  }
});
