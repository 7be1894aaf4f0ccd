import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../bench/support/wait.ts';
import {
  addNumber,
  NUMBER,
  phones,
  plainTemplate,
  post,
  startPlatform,
  VERIFY,
} from '../channels/chat/platform-support.ts';
import { assertBooksBalance } from '../support/books.ts';
import { createDatabase } from '../support/database.ts';
import { databaseUrl, Installation } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * The only process of a distributed database, killed in mid-campaign. Its batches keep their leases, and the platform's
 * webhooks are heard meanwhile. On an embedded database: test/channels/chat/platform-faults.test.ts.
 */

test('a chat campaign whose process is killed twice: nobody is left out, and nobody has it twice', async () => {
  const { sql, target } = await createDatabase();
  const { platform, taken, environment } = await startPlatform();
  const installation = new Installation({
    PORT: String(await freePort()),
    DATABASE_URL: databaseUrl(target),
    ...environment,
  });
  const serve = { args: ['serve'], ready: false };
  let program = await installation.start(serve);
  await platform.subscribe(`${program.url}/chat-webhooks`, VERIFY);
  const account = await addNumber(installation, program.url, 'chatting');
  const template = await plainTemplate(program.url, account);
  platform.change({ answerDelayMs: 50 });
  const mine = phones(0, 1_500);
  const { data } = await post(program.url, account, 'create-campaign-wa', {
    source: NUMBER,
    destinations: { phones: mine },
    campaign_message: template,
    future_campaign: 'instant',
  });
  assert.deepEqual(data, { success: true, sum: mine.length });
  for (const share of [0.2, 0.5]) {
    await waitFor('it is under way', () => taken.size > share * mine.length, 120_000);
    await program.kill();
    program = await installation.start(serve);
  }
  await waitFor(
    'all are delivered',
    async () => {
      const [row] = await sql<{ count: number }[]>`SELECT count(*) AS count FROM messages WHERE status = 102`;
      return row!.count === mine.length;
    },
    120_000,
  );
  assert.equal(taken.size, mine.length);
  const twice = [...taken.values()].filter((count) => count > 1).length;
  assert.equal(twice, 0, `${twice} were sent to twice`);
  await assertBooksBalance(sql);
});
