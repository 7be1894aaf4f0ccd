import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailCheck } from '../../../server/channels/mail/check.ts';
import { asPerson } from '../../api/v1/calls.ts';
import { startDispatching } from '../../engine/dispatch/support.ts';
import { startNetwork } from '../../faults/support.ts';
import type { Rule } from './support.ts';

/* Alert rules with mail where no relay is set up. */

const service = await startDispatching(await startNetwork(), {});
const { sql, appContext } = service;
const account = await service.account('unmailed', 1);
const owner = await asPerson(service, 'owner', account.id);
const operator = await asPerson(service, 'operator');
const recipients = { mails: ['dana@example.com'] };

test('a rule with mail addresses is refused and the answer names the setting', async () => {
  for (const [api, path, kind] of [
    [owner, '/alert-rules', 'low-balance'],
    [operator, '/operator/alert-rules', 'disk'],
  ] as const) {
    const answer = await api.fetch('POST', path, { name: 'A rule', kind, recipients });
    const { error } = (await answer.json()) as {
      error: { code: string; field: string; reason: string; message: string };
    };
    assert.deepEqual(
      [error.code, error.field, error.reason],
      ['bad-field', 'recipients.mails', 'no-mail-relay'],
    );
    assert.match(error.message, /MAIL_RELAY_URL/);
    const rule = await api.post<Rule>(path, { name: 'A rule', kind, recipients: { owners: true } });
    assert.deepEqual(await api.refused('PATCH', `${path}/${rule.id}`, { recipients }), [
      'bad-field',
      'recipients.mails',
      400,
    ]);
    assert.equal((await sql`SELECT 1 FROM alert_contacts`).length, 0, 'nobody is asked');
    await api.call('DELETE', `${path}/${rule.id}`);
  }
});

test('the doctor names rules whose mails nobody gets', async () => {
  const found = async () =>
    (await mailCheck.run({ appContext, dnsServer: undefined })).map(
      ({ state, found }) => `${state}: ${found}`,
    );
  const skipped = 'skip: email is not set up: MAIL_RELAY_URL is not set';
  assert.deepEqual(await found(), [skipped]);
  const rule = await owner.post<Rule>('/alert-rules', {
    name: 'A rule',
    kind: 'low-balance',
    recipients: { owners: true },
  });
  // As it was stored while there was a relay.
  await sql`
    UPDATE alert_rules SET recipients = recipients || '{"mails": ["dana@example.com"]}' WHERE id = ${Number(rule.id)}`;
  assert.deepEqual(await found(), [
    skipped,
    'warn: 1 alert rules have email addresses, and no mail relay is set up',
    'warn: 1 alert rules notify owners by email, and no mail relay is set up',
  ]);
  await owner.call('PATCH', `/alert-rules/${rule.id}`, { enabled: false });
  assert.deepEqual(await found(), [skipped]);
});
