import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const SOURCE = join(import.meta.dirname, '../../server');

/**
 * The order of the server (docs/architecture.md, "Modules"), from the bottom to the top: a file imports from its own entry
 * and from those before it, types too. An entry is a folder, a file, or files by a pattern; the longest that fits counts. Folders
 * of `modules/` have no place here: each comes after everything that it imports.
 */
const order = [
  // Shared by all.
  'kit/statuses.ts',
  'kit/version.ts',
  'kit/first-of-each.ts',
  'kit/reasons.ts',
  'kit/errors.ts',
  'kit/day-hours.ts',
  'kit/week-hours.ts',
  'kit/time-zones.ts',
  'kit/time-slices.ts',
  'kit/batched-lookup.ts',
  'kit/deadlines.ts',
  'kit/child-processes.ts',
  'kit/worker-task.ts',
  'kit/lifecycle.ts',
  'kit/transient.ts',
  'kit/rate.ts',
  'kit/process-roles.ts',
  'kit/text',
  'kit/numbers',
  'kit/observability',
  'kit/clock.ts',
  'kit/request-context.ts',
  'kit/ids.ts',
  'kit/owners.ts',
  'kit/loop.ts',
  'kit/write-behind.ts',
  'kit/tls-faults.ts',
  'kit/http',
  'kit/connector-faults.ts',
  'kit/connector-fault-texts.ts',
  'kit/setting-files.ts',
  'kit/setting.ts',
  'kit/trace-settings.ts',
  'kit/config.ts',
  'kit/define-retention.ts',
  'database',
  'engine/links/code-months.ts',
  '*/tables.ts',
  '*/*/tables.ts',
  'database/due-look.ts',
  'secrets',
  'api/access',
  'channels/contract',
  'kit/context.ts',
  'engine/work',
  'api/send-keys',
  'api/requests',
  'engine/events',
  'engine/callbacks',
  'engine/links',
  'engine/gate',
  // Messages, and the engine that sends them.
  'engine/carriers',
  'protocols',
  'engine/carriers/configuration.ts',
  'engine/connectors',
  'engine/messages',
  'engine/dispatch',
  'engine/test-messages',
  'engine/campaigns',
  'engine/fallback',
  'engine/suspension',
  'engine/live',
  // What routes and channels are given.
  'run/sandbox-handle.ts',
  'run/app-context.ts',
  'run/run-settings.ts',
  'run/end-leases.ts',
  'run/services.ts',
  'engine/dispatch/announcements.ts',
  'run/gauges.ts',
  '*/*/gauges.ts',
  // Where requests come in: what every API uses, and APIs of no channel.
  'api/openapi',
  'api/schema-problems.ts',
  'api/bodies',
  'api',
  'api/sms',
  'api/sign-in.ts',
  'api/token-api.ts',
  'api/sms/plugin.ts',
  'api/http-interfaces',
  'api/kannel',
  'api/jasmin',
  'api/twilio',
  'api/public-pages',
  'api/console',
  'api/v1',
  'api/mcp',
  'api/docs',
  'run/health.ts',
  'api/operator',
  // What each channel does, with its APIs.
  'channels/status-hooks.ts',
  'channels/module.ts',
  'channels/http-connectors.ts',
  'channels/phone-fallbacks.ts',
  'channels/voice',
  'channels/sms',
  'channels/chat',
  'channels/mail',
  'channels/index.ts',
  'channels/failure-reasons.ts',
  'channels/*/open.ts',
  'channels/open.ts',
  // What puts everything together.
  'run/define-module.ts',
  'run/core.ts',
  'engine/messages/v1/fields.ts',
  'modules/*/v1/*.ts',
  'modules/*/v1.ts',
  'engine/*/v1/*.ts',
  'engine/*/v1.ts',
  'api/*/v1.ts',
  'run/v1-routes.ts',
  'modules/*/module.ts',
  'engine/*/module.ts',
  'engine/dispatch/peers/module.ts',
  'api/*/module.ts',
  'engine/messages/acceptance.ts',
  'run/module-list.ts',
  'run/tables.ts',
  'run/open-app-context.ts',
  'run/jobs.ts',
  'run/modules.ts',
  'run/listeners.ts',
  'run/service.ts',
  'sandbox',
  'run/doctor/check.ts',
  '*/*/check.ts',
  'run/doctor',
  'commands',
  'main.ts',
];

/** Modules import nothing from this entry on: what routes and channels are given, and where requests come in. */
const ABOVE_MODULES = 'run/sandbox-handle.ts';

const files = globSync('**/*.ts', { cwd: SOURCE });
const folders = globSync('modules/*/', { cwd: SOURCE }).map((folder) => folder.replace(/\/$/, ''));
const entries = [...order, ...folders].map((entry) => ({
  entry,
  /** Undefined for a folder of `modules/`. */
  position: order.includes(entry) ? order.indexOf(entry) : undefined,
  matches: new Set(
    entry.endsWith('.ts') ? globSync(entry, { cwd: SOURCE }) : globSync(`${entry}/**/*.ts`, { cwd: SOURCE }),
  ),
}));
type Entry = (typeof entries)[number];

/** The entry that a file belongs to: files and patterns before folders, and of several the longest. */
function entryOf(path: string) {
  const found = entries.filter(({ matches }) => matches.has(path));
  const rank = ({ entry }: { entry: string }) => (entry.endsWith('.ts') ? 1_000 : 0) + entry.length;
  return found.toSorted((one, other) => rank(other) - rank(one))[0];
}
const entryOfFile = new Map(files.map((path) => [path, entryOf(path)]));

/** What a file imports, below the server: `import`, `export … from`, `import()`, and files that a worker runs. */
function* importsOf(path: string): Generator<string> {
  const text = readFileSync(join(SOURCE, path), 'utf8');
  for (const [, address] of text.matchAll(/(?:from|import|new URL)\s*\(?\s*'(\.[^']+\.ts)'/g)) {
    const target = join(dirname(path), address!);
    if (!target.startsWith('..')) yield target;
  }
}

const imports = files.flatMap((path) =>
  Array.from(importsOf(path), (target) => ({
    path,
    target,
    from: entryOfFile.get(path)!,
    to: entryOfFile.get(target)!,
  })),
);

const tops = new Map<Entry, number>();

/** Returns the position after which an entry comes: its own, or for a module that of its highest import. Throws Error for a cycle. */
function topOf(entry: Entry, above: readonly Entry[] = []): number {
  if (entry.position !== undefined) return entry.position;
  if (above.includes(entry))
    throw new Error(`cycle: ${[...above, entry].map((one) => one.entry).join(' -> ')}`);
  const known = tops.get(entry);
  if (known !== undefined) return known;
  const imported = new Set(
    imports.filter(({ from, to }) => from === entry && to !== entry).map(({ to }) => to),
  );
  const top = Math.max(0, ...Array.from(imported, (one) => topOf(one, [...above, entry])));
  tops.set(entry, top);
  return top;
}

test('every file of the server has its place in the order', () => {
  assert.ok(files.length > 400);
  assert.ok(folders.length > 15);
  assert.deepEqual(
    files.filter((path) => entryOfFile.get(path) === undefined),
    [],
  );
  assert.deepEqual(
    entries.filter(({ matches }) => matches.size === 0).map(({ entry }) => entry),
    [],
  );
});

test('imports of the server go one way', () => {
  const wrong = imports.filter(({ path, target, from, to }) => {
    // A channel names the file that opens it, which is loaded when everything else is there (channels/contract/channel.ts).
    if (target.endsWith('/open.ts') && path === target.replace('open.ts', 'channel.ts')) return false;
    if (from === to) return false;
    // Modules among themselves have no cycle: `topOf` throws for one.
    if (from.position === undefined) return topOf(to) >= order.indexOf(ABOVE_MODULES);
    // A module whose highest import is this entry would import it and be imported by it.
    return to.position === undefined ? topOf(to) >= from.position : to.position > from.position;
  });
  assert.deepEqual(
    wrong.map(({ path, target, from, to }) => `${path} (${from.entry}) -> ${target} (${to.entry})`),
    [],
  );
});
