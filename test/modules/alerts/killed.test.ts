import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withToken } from '../../api/v1/calls.ts';
import { Relay } from '../../channels/mail/relay.ts';
import { Installation } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';
import { alertWhen, type Rule } from './support.ts';

const MAIL = 'dana@example.com';

test('killed while the relay takes the mail of an alert: it comes once more at most, as the same mail', async () => {
  const relay = new Relay();
  await relay.open();
  const installation = new Installation({ MAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}` });
  let program = await installation.start();
  const account = await installation.account(program.url, 'alerted', 1);
  const before = withToken(program.url, account.token);
  const { id } = await before.post<Rule>('/alert-rules', {
    name: 'Balance',
    kind: 'low-balance',
    enabled: false,
    recipients: { mails: [MAIL] },
  });
  const [question] = await waitFor('the question', () => relay.to(MAIL).length > 0 && relay.taken.splice(0));
  const [link] = /\/a\/[\w.-]+/.exec(question!.raw.replaceAll('=\r\n', ''))!;
  await fetch(program.url + link, { method: 'POST' });
  // Takes the mail and does not say so before the process is gone.
  relay.delayMs = 20_000;
  await before.call('PATCH', `/alert-rules/${id}`, { enabled: true });
  await waitFor('the relay has it', () => relay.to(MAIL).length === 1, 60_000);
  await program.kill();
  relay.delayMs = 0;
  program = await installation.start();
  const api = withToken(program.url, account.token);
  const alert = await alertWhen('it is told', api, id, ({ notifications }) =>
    notifications.every(({ state }) => state === 'sent'),
  );
  assert.deepEqual(
    alert.notifications.map(({ attempts }) => attempts),
    [2],
  );
  const mails = relay.to(MAIL);
  assert.equal(mails.length, 2);
  assert.equal(new Set(mails.map(({ raw }) => /^Message-ID:\s+\S+/im.exec(raw)![0])).size, 1);
});
