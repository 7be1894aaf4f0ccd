import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MailTokens } from '../../server/channels/mail/tokens.ts';
import { ensureDemoAccount } from '../../server/sandbox/demo.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';

const service = await startTestService();
const { appContext, sql, demo } = service;
const { tokens } = appContext;

/** What the next start of the sandbox does. */
const startAgain = (token?: string) =>
  ensureDemoAccount({
    ...appContext,
    sql,
    mailTokens: new MailTokens(appContext).lasting,
    retired: false,
    preset: { token, mailToken: undefined, password: undefined },
  });

async function webhooks(token: string): Promise<number> {
  const answer = await fetch(`${service.url}/v1/webhooks`, { headers: { authorization: `Bearer ${token}` } });
  return answer.status;
}

/** As the migration to scopes has left the tokens of an older sandbox. */
async function makeOld(): Promise<void> {
  await sql`
    UPDATE tokens SET scopes = '{send,read,contacts,codes,billing}' WHERE kind = 'api' AND account_id = ${demo.id}`;
  // What this process remembers of them goes with any revocation.
  await tokens.revoke(0);
}

test('the demo token of an older sandbox gets the scopes of a new one at the next start, others keep theirs', async () => {
  const { token: till } = await tokens.mint(demo.id, { label: 'till' });
  const { token: named } = await tokens.mint(demo.id, { label: 'demo' });
  await makeOld();
  assert.deepEqual(await Promise.all([DEMO_TOKEN, till, named].map(webhooks)), [403, 403, 403]);
  await startAgain();
  assert.deepEqual(await Promise.all([DEMO_TOKEN, till, named].map(webhooks)), [200, 403, 403]);
});

test('a preset token of an older sandbox gets them, too', async () => {
  const preset = 'a-token-that-a-script-has-preset';
  await startAgain(preset);
  assert.equal(await webhooks(preset), 200);
  await makeOld();
  assert.equal(await webhooks(preset), 403);
  await startAgain();
  assert.equal(await webhooks(preset), 403, 'it is not preset any more');
  await startAgain(preset);
  assert.equal(await webhooks(preset), 200);
});

test('a demo token created with fewer scopes keeps them', async () => {
  await sql`UPDATE tokens SET scopes = '{send}' WHERE account_id = ${demo.id} AND kind = 'api'`;
  await tokens.revoke(0);
  await startAgain();
  assert.equal(await webhooks(DEMO_TOKEN), 403);
});
