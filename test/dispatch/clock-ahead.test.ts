import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { allFinal, mustSend, phones, startNetwork } from '../faults/support.ts';
import { createDatabase } from '../support/database.ts';
import { databaseUrl, Installation, knownTo } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

/* Two processes of the program on one database. The clock of the first is ten minutes ahead. */

const AHEAD_MS = 600_000;
const { sql, target } = await createDatabase();
const network = await startNetwork();
const installation = new Installation({
  DATABASE_URL: databaseUrl(target),
  SMPP_URL: network.url({ window: 50 }),
});
const serve = { args: ['serve'], ready: false };

test('a killed process whose clock was ahead blocks nothing: another process takes over in seconds', async () => {
  const clockFile = join(installation.folder, 'clock');
  writeFileSync(clockFile, String(AHEAD_MS));
  const environment = {
    CLOCK_FILE: clockFile,
    NODE_OPTIONS: `--import ${new URL('../torture/shifted-clock.ts', import.meta.url).href}`,
  };
  const ahead = await installation.start({ ...serve, environment });
  await waitFor('the first process holds the connector', () => network.smsc.boundSessions === 1);
  assert.match(
    ahead.output(),
    /"milliseconds":[56]\d{5},.*clock of this machine differs from the database's/,
  );
  const answer = await fetch(`${ahead.url}/readyz?for=dispatch`);
  const { problems } = (await answer.json()) as { problems: string[] };
  assert.deepEqual([answer.status, problems], [503, ["clock: differs from the database's"]]);

  const right = await installation.start(serve);
  const account = await installation.account(right.url, 'waiting', 1_000);
  await knownTo(right.url, account);
  await ahead.kill();
  await mustSend(right.url, account, phones(0, 20));
  // A lease of the dead process ends after 15 s, not after ten minutes.
  await allFinal(sql);
  assert.equal(network.taken.size, 20);
  assert.equal((await fetch(`${right.url}/readyz?for=dispatch`)).status, 200);
});
