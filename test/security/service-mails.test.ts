import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPerson, withToken } from '../api/v1/calls.ts';
import { Relay } from '../channels/mail/relay.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * The attacker has a token with the scope `send`, or an account, and wants mails to strangers that the operator signs; or
 * wants that the operator hears of nothing.
 */

const relay = new Relay();
await relay.open();
const service = await startTestService({
  settings: { MAIL_RELAY_URL: `smtp://127.0.0.1:${relay.port}` },
});
const { sql, appContext } = service;
const operator = await asPerson(service, 'operator');

interface Rule {
  readonly id: string;
  readonly recipients: { readonly unconfirmed: readonly string[] };
}
interface Tests {
  readonly tests: readonly {
    readonly recipient: string;
    readonly state: string;
    readonly problem: string | null;
  }[];
}

const ruleOf = (recipients: object) => ({
  ...{ name: 'Rule', kind: 'low-balance', recipients },
  thresholds: { subscribers: false },
});
const noneWaits = () =>
  waitFor('nothing waits', async () => {
    const [row] = await sql<{ count: number }[]>`
      SELECT (SELECT count(*) FROM alert_notifications WHERE state = 'waiting')::int
        + (SELECT count(*) FROM work WHERE kind = 'alert-contact')::int AS count`;
    return row!.count === 0;
  });
const textOf = (address: string) => {
  const [mail] = relay.to(address);
  return mail!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
};
const linkIn = (text: string) => /\/a\/[\w.-]+/.exec(text)![0];

test('a token cannot mail strangers by test alerts: each gets one question and no alert', async () => {
  const account = await service.addAccount({ username: 'cannon' });
  await appContext.people.people.add({
    ...{ accountId: account.id, username: 'owner@example.com', name: 'Owner', role: 'owner' as const },
  });
  const { token } = await appContext.tokens.mint(account.id, { scopes: ['send', 'read'] });
  const api = withToken(service.url, token);
  const strangers = Array.from({ length: 40 }, (_, index) => `stranger-${index}@example.com`);
  const rules = await Promise.all(
    [strangers.slice(0, 20), strangers.slice(20)].map((mails) =>
      api.post<Rule>('/alert-rules', ruleOf({ owners: true, mails })),
    ),
  );
  assert.deepEqual(rules[0]!.recipients.unconfirmed.toSorted(), strangers.slice(0, 20).toSorted());
  const answers: number[] = [];
  for (let round = 0; round < 10; round++) {
    for (const { id } of rules) {
      answers.push((await api.fetch('POST', `/alert-rules/${id}/test`, { means: ['mail'] })).status);
    }
  }
  // 21 recipients a test, 100 a day.
  assert.deepEqual(answers.slice(0, 5), [200, 200, 200, 200, 429]);
  assert.ok(answers.slice(4).every((status) => status === 429));
  await noneWaits();
  assert.equal(relay.to('owner@example.com').length, 4);
  for (const stranger of strangers) {
    assert.equal(relay.to(stranger).length, 1, stranger);
    assert.match(textOf(stranger), /Subject: Confirm alerts to this address/);
  }
  const { tests } = await api.get<Tests>(`/alert-rules/${rules[0]!.id}/tests`);
  const untold = tests.filter(({ recipient }) => recipient.startsWith('stranger'));
  assert.ok(untold.length > 0);
  assert.ok(untold.every(({ state, problem }) => state === 'failed' && problem === 'not-confirmed'));
});

test('a token cannot repeat the question by changing its rules', async () => {
  const account = await service.addAccount({ username: 'asker' });
  const api = withToken(service.url, account.token);
  const { id } = await api.post<Rule>('/alert-rules', ruleOf({ mails: ['again@example.com'] }));
  for (const mails of [[], ['again@example.com'], ['AGAIN@example.com'], []]) {
    await api.call('PATCH', `/alert-rules/${id}`, { recipients: { mails } });
  }
  await api.post('/alert-rules', ruleOf({ mails: ['again@example.com'] }));
  await noneWaits();
  assert.equal(relay.to('again@example.com').length, 1);
});

test('the owner of an address confirms by the button of the page, not by fetching the link', async () => {
  const account = await service.addAccount({ username: 'polite', name: 'Polite & co' });
  const api = withToken(service.url, account.token);
  const { id } = await api.post<Rule>('/alert-rules', ruleOf({ mails: ['dana@example.com'] }));
  await noneWaits();
  const link = linkIn(textOf('dana@example.com'));
  const page = await fetch(service.url + link);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<bdi>Polite &amp; co<\/bdi> asks to send alerts/);
  await api.post(`/alert-rules/${id}/test`, { means: ['mail'] });
  await noneWaits();
  assert.equal(relay.to('dana@example.com').length, 1, 'a fetched link confirms nothing');
  const crossSite = { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } };
  assert.doesNotMatch(await (await fetch(service.url + link, crossSite)).text(), /role="status"/);
  assert.equal((await fetch(`${service.url}${link}x`, { method: 'POST' })).status, 404);
  assert.match(await (await fetch(service.url + link, { method: 'POST' })).text(), /role="status"/);
  const { recipients } = await api.get<Rule>(`/alert-rules/${id}`);
  assert.deepEqual(recipients.unconfirmed, []);
  await api.post(`/alert-rules/${id}/test`, { means: ['mail'] });
  await waitFor('the alert', () => relay.to('dana@example.com').length === 2);
});

test('the confirmation for one account does not count for another', async () => {
  const [first, second] = [
    await service.addAccount({ username: 'first-asker' }),
    await service.addAccount({ username: 'second-asker' }),
  ];
  const rule = ruleOf({ mails: ['shared@example.com'] });
  await withToken(service.url, first.token).post('/alert-rules', rule);
  await noneWaits();
  await fetch(service.url + linkIn(textOf('shared@example.com')), { method: 'POST' });
  const { recipients } = await withToken(service.url, second.token).post<Rule>('/alert-rules', rule);
  assert.deepEqual(recipients.unconfirmed, ['shared@example.com']);
});

test('phones of strangers get one question by SMS and no alert before they confirm', async () => {
  const account = await service.addAccount({ username: 'texter' }, 10);
  const api = withToken(service.url, account.token);
  const phone = '972521239876';
  const { id } = await api.post<Rule>('/alert-rules', ruleOf({ phones: [phone] }));
  await api.post(`/alert-rules/${id}/test`, { means: ['sms'] });
  const [question] = await waitFor('the question', async () => {
    const texts = await service.phone(phone);
    return texts.length > 0 && texts;
  });
  await noneWaits();
  assert.equal((await service.phone(phone)).length, 1);
  await fetch(service.url + linkIn(question!.text), { method: 'POST' });
  await api.post(`/alert-rules/${id}/test`, { means: ['sms'] });
  await waitFor('the alert', async () => (await service.phone(phone)).length === 2);
});

test("the operator's alerts do not wait behind mails of accounts that the relay hangs on", async () => {
  const account = await service.addAccount({ username: 'slow' });
  const { people } = appContext.people;
  for (let index = 0; index < 15; index++) {
    await people.add({
      accountId: account.id,
      username: `hang-${index}@example.com`,
      name: 'Slow',
      role: 'owner',
    });
  }
  relay.behave = (moment, to) => (moment === 'rcpt' && to.startsWith('hang-') ? 'hang' : undefined);
  const api = withToken(service.url, account.token);
  for (let index = 0; index < 5; index++) {
    const { id } = await api.post<Rule>('/alert-rules', ruleOf({ owners: true }));
    await api.post(`/alert-rules/${id}/test`, { means: ['mail'] });
  }
  await waitFor('the relay hangs', async () => {
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM work WHERE kind = 'alert' AND lease_until > 0 AND account_id = ${account.id}`;
    // No account has more than ten under way.
    return row!.count === 10;
  });
  const recipients = { mails: ['noc@example.com'] };
  const rule = { name: 'Disk', kind: 'disk', recipients };
  const { id } = await operator.post<Rule>('/operator/alert-rules', rule);
  await operator.post(`/operator/alert-rules/${id}/test`, { means: ['mail'] });
  await waitFor('the operator is told', () => relay.to('noc@example.com').length === 1);
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM work WHERE kind = 'alert' AND lease_until > 0 AND account_id = ${account.id}`;
  assert.equal(row!.count, 10, 'the others still hang');
  // Ends what hangs.
  relay.behave = () => undefined;
  await relay.close();
});
