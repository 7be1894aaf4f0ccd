import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const SOURCE = join(import.meta.dirname, '../../server');

/**
 * The order of the server (docs/architecture.md, "Modules"), from the bottom to the top: a file imports from its own entry
 * and from those before it, types too. An entry is a folder, a file, or files by a pattern; the longest that fits counts.
 */
const order = [
  // Shared by all.
  'statuses.ts',
  'version.ts',
  'reasons.ts',
  'errors.ts',
  'day-hours.ts',
  'week-hours.ts',
  'time-zones.ts',
  'time-slices.ts',
  'deadlines.ts',
  'child-processes.ts',
  'worker-task.ts',
  'lifecycle.ts',
  'process-roles.ts',
  'text',
  'numbers',
  'observability',
  'clock.ts',
  'ids.ts',
  'owners.ts',
  'loop.ts',
  'write-behind.ts',
  'tls-faults.ts',
  'http',
  'connector-faults.ts',
  'connector-fault-texts.ts',
  'setting-files.ts',
  'setting.ts',
  'trace-settings.ts',
  'config.ts',
  'define-retention.ts',
  'database',
  'links/code-months.ts',
  '*/tables.ts',
  'channels/*/tables.ts',
  'due-look.ts',
  'secrets',
  'access',
  'channel-contract',
  'tables.ts',
  'context.ts',
  'work',
  'personal-data',
  // What accounts have.
  'send-keys',
  'passwords',
  'login-throttle',
  'accounts',
  'budgets',
  'people',
  'authors',
  'requests',
  'events',
  'fraud-guard',
  'consents',
  'media',
  'audience',
  'links',
  'sending-policy',
  'gate',
  // Messages, and the engine that sends them.
  'carriers',
  'connectors',
  'messages',
  'conversations',
  'dispatch',
  'campaigns',
  'suspension',
  'otp',
  'alerts',
  'live',
  'retention',
  'data-subjects',
  // What routes and channels are given.
  'sandbox-handle.ts',
  'app-context.ts',
  'run-settings.ts',
  'services.ts',
  'dispatch/announcements.ts',
  'gauges.ts',
  '*/gauges.ts',
  // Where requests come in: what every API uses, and APIs of no channel.
  'interfaces/openapi',
  'interfaces/schema-problems.ts',
  'interfaces/bodies',
  'interfaces',
  'interfaces/sms-api',
  'interfaces/sign-in.ts',
  'interfaces/token-api.ts',
  'interfaces/sms-api/plugin.ts',
  'interfaces/public-pages',
  'interfaces/console',
  'interfaces/v1',
  'interfaces/docs',
  'health.ts',
  'interfaces/operator',
  // What each channel does, with its APIs.
  'channels/status-hooks.ts',
  'channels/module.ts',
  'channels/voice',
  'channels/sms',
  'channels/chat',
  'channels/mail',
  'channels/index.ts',
  'channels/failure-reasons.ts',
  'channels/*/open.ts',
  'channels/open.ts',
  // What puts everything together.
  'define-module.ts',
  'core.ts',
  'v1',
  '*/module.ts',
  'messages/acceptance.ts',
  'module-list.ts',
  'jobs.ts',
  'modules.ts',
  'listeners.ts',
  'service.ts',
  'sandbox',
  'doctor/check.ts',
  '*/check.ts',
  'channels/*/check.ts',
  'doctor',
  'commands',
  'main.ts',
];

const files = globSync('**/*.ts', { cwd: SOURCE });
const entries = order.map((entry, position) => ({
  entry,
  position,
  matches: new Set(
    entry.endsWith('.ts') ? globSync(entry, { cwd: SOURCE }) : globSync(`${entry}/**/*.ts`, { cwd: SOURCE }),
  ),
}));

/** The entry that a file belongs to: files and patterns before folders, and of several the longest. */
function entryOf(path: string) {
  const found = entries.filter(({ matches }) => matches.has(path));
  const rank = ({ entry }: { entry: string }) => (entry.endsWith('.ts') ? 1_000 : 0) + entry.length;
  return found.toSorted((one, other) => rank(other) - rank(one))[0];
}

/** What a file imports, below the server: `import`, `export … from`, `import()`, and files that a worker runs. */
function* importsOf(path: string): Generator<string> {
  const text = readFileSync(join(SOURCE, path), 'utf8');
  for (const [, address] of text.matchAll(/(?:from|import|new URL)\s*\(?\s*'(\.[^']+\.ts)'/g)) {
    const target = join(dirname(path), address!);
    if (!target.startsWith('..')) yield target;
  }
}

test('every file of the server has its place in the order', () => {
  assert.ok(files.length > 400);
  assert.deepEqual(
    files.filter((path) => entryOf(path) === undefined),
    [],
  );
  assert.deepEqual(
    entries.filter(({ matches }) => matches.size === 0).map(({ entry }) => entry),
    [],
  );
});

test('imports of the server go one way', () => {
  const wrong: string[] = [];
  for (const path of files) {
    for (const target of importsOf(path)) {
      // A channel names the file that opens it, which is loaded when everything else is there (channel-contract/channel.ts).
      if (target.endsWith('/open.ts') && path === target.replace('open.ts', 'channel.ts')) continue;
      const [from, to] = [entryOf(path)!, entryOf(target)!];
      if (to.position > from.position) wrong.push(`${path} (${from.entry}) -> ${target} (${to.entry})`);
    }
  }
  assert.deepEqual(wrong, []);
});
