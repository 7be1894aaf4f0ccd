import assert from 'node:assert/strict';
import { verify } from 'node:crypto';
import { test } from 'node:test';
import { digestOf, GENESIS } from '../../../server/modules/consents/chain.ts';
import { asPerson, withToken } from '../../api/v1/calls.ts';
import { mailAt, newAddress, v1At } from '../../channels/mail/campaign-support.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { Request } from './support.ts';

/* The consent log: who agreed to what, when and by what, and who withdrew it. */

const service = await startTestService();
const { url, sql, demo } = service;
const api = withToken(url, DEMO_TOKEN);
const owner = await asPerson(service, 'owner', demo.id);

interface Entry {
  readonly position: number;
  readonly subject: string | null;
  readonly subject_digest: string;
  readonly channel: string;
  readonly purpose: string;
  readonly action: string;
  readonly at: string;
  readonly recorded_at: string;
  readonly source: string;
  readonly evidence: Record<string, string>;
  readonly previous: string;
  readonly digest: string;
}
interface Found {
  readonly standing: readonly { channel: string; purpose: string; action: string }[];
  readonly consents: readonly Entry[];
}

const record = (...consents: object[]) => api.post<{ position: number }>('/consents', { consents });
const find = (subject: string) => api.post<Found>('/consents/search', { subject });
const form = {
  channel: 'sms',
  action: 'given',
  source: 'form',
  form: 'newsletter',
  version: '2026-02',
  text: 'I agree to get offers',
  language: 'en',
  ip: '192.0.2.7',
  url: 'https://shop.example/news?phone=0501234567#top',
};
const withdrawn = (subject: string) =>
  waitFor(`the withdrawal of ${subject}`, async () => {
    const { consents } = await find(subject);
    return consents.find(({ action }) => action === 'withdrawn');
  });

test('a consent is recorded with its evidence, and a withdrawal follows it', async () => {
  const phone = newPhone();
  await record({ ...form, subject: phone, at: '2026-02-01T08:00:00+02:00' });
  await owner.post('/consents', {
    consents: [{ subject: phone, channel: 'sms', action: 'withdrawn', source: 'agent' }],
  });
  const { standing, consents } = await find(`+972-${phone.slice(1)}`);
  assert.deepEqual(
    standing.map(({ channel, purpose, action }) => [channel, purpose, action]),
    [['sms', 'marketing', 'withdrawn']],
  );
  const [last, first] = consents;
  assert.deepEqual([first!.subject, first!.at, first!.source], [phone, '2026-02-01T06:00:00.000Z', 'form']);
  const { form: name, version, text, language, ip, url: page } = first!.evidence;
  assert.deepEqual(
    [name, version, text, language, ip, page],
    ['newsletter', '2026-02', 'I agree to get offers', 'en', '192.0.2.7', 'https://shop.example/news'],
  );
  assert.match(last!.evidence.recordedBy!, /^person-/);
});

test('each entry is chained to the one before, also for concurrent requests; a change, a deletion and an insertion are detected', async () => {
  const phones = Array.from({ length: 40 }, newPhone);
  await Promise.all(phones.map((phone) => record({ ...form, subject: phone })));
  const { consents } = await api.get<{ consents: Entry[] }>('/consents?limit=500');
  const entries = consents.toReversed();
  assert.deepEqual(
    entries.map(({ position }) => position),
    entries.map((_, index) => index + 1),
  );
  let previous = GENESIS.toString('hex');
  const rows = await sql<{ position: number; evidence: string }[]>`
    SELECT position, evidence FROM consents WHERE account_id = ${demo.id} ORDER BY position`;
  for (const [index, entry] of entries.entries()) {
    assert.equal(entry.previous, previous);
    const { position, channel, purpose, action, source } = entry;
    const row = { position, channel, purpose, action, source, subjectDigest: entry.subject_digest };
    const times = { at: Date.parse(entry.at), recordedAt: Date.parse(entry.recorded_at) };
    const digest = digestOf(Buffer.from(previous, 'hex'), {
      ...row,
      ...times,
      evidence: rows[index]!.evidence,
    });
    assert.equal(digest.toString('hex'), entry.digest);
    previous = entry.digest;
  }
  const check = (query = '') =>
    api.get<{ checked: number; broken_at: number | null; complete: boolean; position: number }>(
      `/consents/check${query}`,
    );
  assert.deepEqual(await check(), {
    checked: entries.length,
    broken_at: null,
    position: entries.length,
    complete: true,
  });
  const part = await check('?limit=10');
  assert.deepEqual([part.checked, part.position, part.complete], [10, 10, false]);
  assert.equal((await check(`?after=${part.position}`)).broken_at, null);
  await sql`CREATE TABLE kept AS SELECT * FROM consents WHERE account_id = ${demo.id}`;
  for (const [change, at] of [
    [() => sql`UPDATE consents SET purpose = 'other' WHERE account_id = ${demo.id} AND position = 2`, 2],
    [() => sql`UPDATE consents SET at = at + 1 WHERE account_id = ${demo.id} AND position = 5`, 5],
    [() => sql`DELETE FROM consents WHERE account_id = ${demo.id} AND position = 7`, 7],
    [
      () => sql`DELETE FROM consents WHERE account_id = ${demo.id} AND position = ${entries.length}`,
      entries.length,
    ],
  ] as const) {
    await change();
    assert.equal((await check()).broken_at, at);
    await sql`DELETE FROM consents WHERE account_id = ${demo.id}`;
    await sql`INSERT INTO consents SELECT * FROM kept`;
  }
  await sql`DROP TABLE kept`;
  assert.equal((await check()).broken_at, null);
});

test('withdrawals are written by the service: removal word, removal link, unsubscribe link', async () => {
  const inbox = '972550000009';
  await sql`INSERT INTO inbound_numbers (number, account_id) VALUES (${inbox}, ${demo.id})`;
  const [byWord, byLink] = [newPhone(), newPhone()];
  await service.sendFromPhone(byWord, inbox, 'STOP');
  const word = await withdrawn(byWord);
  assert.deepEqual([word.source, word.channel, word.evidence.text], ['keyword', 'any', 'STOP']);
  await service.sendFromPhone(byWord, inbox, 'STOP');

  await api.post('/sms', { source: 'Shop', message: 'Offer', phones: [byLink], removal: 'link' }, 202);
  const [text] = await waitFor('the SMS', async () => {
    const texts = await service.phone(byLink);
    return texts.length > 0 && texts;
  });
  const link = /https?:\/\/\S+/.exec(text!.text)![0];
  await fetch(link, { method: 'POST' });
  assert.equal((await withdrawn(byLink)).source, 'removal-link');

  const mail = mailAt(v1At(url));
  const address = newAddress();
  await mail.finished(await mail.send([await mail.list([{ email: address }])]));
  const received = await waitFor('the mail', async () => (await mail.mailbox(address))[0]);
  const unsubscribe = /<(https?:[^>]+)>/.exec(received.headers['list-unsubscribe']!)![1]!;
  await fetch(unsubscribe, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  const mailed = await withdrawn(address);
  assert.deepEqual([mailed.source, mailed.channel, mailed.subject], ['unsubscribe-link', 'mail', address]);
  assert.equal((await find(byWord)).consents.length, 1, 'once, however often they ask');
});

test('a proof is signed, and the log is exported whole', async () => {
  const phone = newPhone();
  await record({ ...form, subject: phone });
  const {
    document,
    signature,
    public_key: key,
  } = await owner.post<{
    document: string;
    signature: string;
    public_key: string;
  }>('/consents/proof', { subject: phone });
  assert.ok(verify(null, Buffer.from(document), key, Buffer.from(signature, 'base64')));
  assert.ok(!verify(null, Buffer.from(`${document} `), key, Buffer.from(signature, 'base64')));
  const { subject, entries } = JSON.parse(document) as { subject: string; entries: Entry[] };
  assert.deepEqual(
    [subject, entries.length, entries[0]!.evidence.text],
    [stored(phone), 1, 'I agree to get offers'],
  );
  const csv = await (await owner.fetch('GET', '/consents/export')).text();
  const { consents } = await api.get<{ consents: Entry[] }>('/consents?limit=500');
  assert.equal(csv.trim().split('\r\n').length, consents.length + 1);
  assert.ok(csv.includes(entries[0]!.digest));
});

test('an erasure takes the number away, and the entries stay as a proof in an unbroken chain', async () => {
  const phone = newPhone();
  await record({ ...form, subject: phone }, { ...form, subject: phone, action: 'withdrawn' });
  const { id } = await owner.post<Request>(
    '/data-subjects/erasures',
    { phones: [phone], confirm: phone },
    202,
  );
  await waitFor('it is erased', async () => {
    const { state } = await owner.get<Request>(`/data-subjects/requests/${id}`);
    return state === 'rechecking';
  });
  const { counts } = await owner.get<Request>(`/data-subjects/requests/${id}`);
  assert.deepEqual(counts, [{ kind: 'consents', count: 2 }], 'entries, as the search counts them');
  const rows = await sql`SELECT FROM consent_subjects WHERE subject = ${stored(phone)}`;
  assert.equal(rows.length, 0);
  const { consents } = await find(phone);
  assert.deepEqual([consents.length, consents[0]!.subject], [2, null]);
  assert.equal((await api.get<{ broken_at: null }>('/consents/check')).broken_at, null);
});

test('what cannot be read is refused, and nothing of the request is written', async () => {
  const count = async () => (await sql`SELECT FROM consents`).length;
  const before = await count();
  const good = { ...form, subject: newPhone() };
  for (const [bad, field] of [
    [{ ...form, subject: '%' }, 'consents[1].subject'],
    [{ ...form, subject: 'x@' }, 'consents[1].subject'],
    [{ ...good, channel: 'pigeon' }, 'consents[1].channel'],
    [{ ...good, source: 'keyword' }, 'consents[1].source'],
    [{ ...good, at: '2999-01-01T00:00:00Z' }, 'consents[1].at'],
    [{ ...good, ip: 'here' }, 'consents[1].ip'],
  ] as const) {
    const [code, at, http] = await api.refused('POST', '/consents', { consents: [good, bad] });
    assert.deepEqual([code, at, http], ['bad-field', field, 400]);
  }
  assert.equal(await count(), before);
  const stranger = await service.addAccount({ username: 'stranger' });
  const theirs = await withToken(url, stranger.token).post<Found>('/consents/search', {
    subject: good.subject,
  });
  assert.deepEqual(theirs, { standing: [], consents: [] });
});
