import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailAt, newAddress, v1At } from '../../channels/mail/campaign-support.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { asPerson, withToken } from './calls.ts';
import { contactListsOf, ended, type Job, json, localPhone, storedPhone, v1 } from './support.ts';

/* What an import says that its people agreed to: rows of the consent log, in the transactions of the import. */

const service = await startTestService();
const { url, sql, demo } = service;
const { api, newList, importFile, contactsOf } = contactListsOf(service);
const calls = withToken(url, DEMO_TOKEN);
const owner = await asPerson(service, 'owner', demo.id);

interface Found {
  readonly standing: readonly { channel: string; action: string; at: string }[];
  readonly consents: readonly {
    channel: string;
    purpose: string;
    at: string;
    source: string;
    evidence: Record<string, string>;
  }[];
}

const find = (subject: string) => calls.post<Found>('/consents/search', { subject });
const query = (fields: Record<string, string>) => `?${new URLSearchParams(fields)}`;
const counted = (job: Job) => (job as Job & { consents: number }).consents;

test('all people of a file agreed at one time, with the form, its text and who recorded it', async () => {
  const list = await newList({ phone: localPhone(1) });
  const file = `phone,name\n${localPhone(1)},Dana\n${localPhone(2)},Noa\n${localPhone(2)},twice\nbad,x\n`;
  const at = '2026-02-01T08:00:00.000Z';
  const said = {
    consent_channel: 'sms',
    consent_form: 'fair',
    consent_version: '2',
    consent_text: 'I agree to get offers, פרסומות',
    consent_language: 'en',
    consent_at: at,
    consent_file: 'fair.csv',
  };
  const answer = await owner.fetch('POST', `/contact-lists/${list}/import${query(said)}`, file);
  const { id } = (await answer.json()) as Job;
  const done = await ended(api, `/imports/${id}`);
  assert.deepEqual([done.state, done.added, done.present, done.refused], ['done', 1, 2, 1]);
  assert.equal(counted(done), 2);
  const { standing, consents } = await find(localPhone(2));
  assert.deepEqual([standing.length, standing[0]!.action, standing[0]!.at], [1, 'given', at]);
  const [{ source, purpose, evidence }] = consents as [Found['consents'][number]];
  const { recordedBy, ...shown } = evidence;
  assert.deepEqual([source, purpose], ['import', 'marketing']);
  assert.deepEqual(shown, {
    form: 'fair',
    version: '2',
    text: said.consent_text,
    language: 'en',
    file: 'fair.csv',
  });
  assert.ok(recordedBy);
  assert.equal((await find(localPhone(1))).consents.length, 1, 'one who was in the list already, too');
  assert.equal((await calls.get<{ broken_at: null }>('/consents/check')).broken_at, null);
});

test('a column says when each agreed; an empty cell is nobody who did, and what is no date is refused', async () => {
  const list = await newList();
  const rows = [
    [10, '2026-02-01'],
    [11, '2026-02-01T08:30+02:00'],
    [12, '01/02/2026 09:00'],
    [13, ''],
    [14, 'last spring'],
    [15, '2099-01-01'],
  ] as const;
  const file = ['phone,agreed', ...rows.map(([n, at]) => `${localPhone(n)},${at}`)].join('\n');
  const said = {
    consent_channel: 'any',
    consent_text: 'Yes',
    consent_column: '2',
    consent_purpose: 'marketing',
  };
  const done = await importFile(list, file, query({ ...said, columns: 'phone,' }));
  assert.deepEqual([done.added, done.refused, counted(done)], [4, 2, 3]);
  assert.deepEqual(
    done.refused_rows.map(({ line, reason }) => [line, reason]),
    [6, 7].map((line) => [line, 'time of the consent: not a date, or in the future']),
  );
  // Dates without an offset are those of the zone of the account, Israel.
  const times = ['2026-01-31T22:00:00.000Z', '2026-02-01T06:30:00.000Z', '2026-02-01T07:00:00.000Z'];
  for (const [index, time] of times.entries()) {
    assert.equal((await find(localPhone(10 + index))).standing[0]!.at, time);
  }
  assert.deepEqual((await find(localPhone(13))).consents, []);
  assert.equal((await contactsOf(list)).length, 4);
  const { consents } = await find(localPhone(10));
  assert.equal(consents[0]!.evidence.file, `import ${done.id}`);
});

test('an old consent of a file does not undo a later withdrawal', async () => {
  const phone = localPhone(20);
  await calls.post('/consents', {
    consents: [
      { subject: phone, channel: 'any', action: 'withdrawn', source: 'agent', at: '2026-03-01T00:00:00Z' },
    ],
  });
  const said = { consent_channel: 'any', consent_form: 'old', consent_at: '2026-01-01T00:00:00Z' };
  await importFile(await newList(), `${phone}\n`, query(said));
  const { standing, consents } = await find(phone);
  assert.deepEqual([standing[0]!.action, consents.length], ['withdrawn', 2]);
});

test('users of a mailing list agree by their address, in whatever spelling', async () => {
  const mail = mailAt(v1At(url));
  const address = newAddress('Reader');
  const list = await mail.list([]);
  const said = { consent_channel: 'mail', consent_form: 'news', consent_column: '2' };
  const file = `${address.toUpperCase()},2026-02-01\n${newAddress()},\n`;
  const { id } = await json<Job>(
    v1(url, DEMO_TOKEN).post(
      `/mail/lists/${list}/import${query({ ...said, header: 'no', columns: 'email,' })}`,
      file,
    ),
    202,
  );
  const done = await ended(api, `/imports/${id}`);
  assert.deepEqual([done.added, counted(done)], [2, 1]);
  assert.deepEqual(
    (await find(address)).standing.map(({ channel, action }) => [channel, action]),
    [['mail', 'given']],
  );
});

test('twenty thousand consents are written by some dozen statements', async () => {
  const count = 20_000;
  const lines = Array.from({ length: count }, (_, index) => localPhone(100_000 + index));
  const said = { consent_channel: 'voice', consent_form: 'many', consent_at: '2026-02-01T00:00:00Z' };
  const done = await importFile(await newList(), `${lines.join('\n')}\n`, query(said));
  assert.deepEqual([done.added, counted(done)], [count, count]);
  const [row] = await sql<{ rows: number; statements: number; transactions: number }[]>`
    SELECT count(*)::int AS rows, count(DISTINCT xmin::text || ' ' || cmin::text)::int AS statements,
      count(DISTINCT xmin::text)::int AS transactions
    FROM consents WHERE account_id = ${demo.id} AND channel = 'voice'`;
  assert.equal(row!.rows, count);
  assert.ok(row!.statements <= count / 1_000 + row!.transactions, JSON.stringify(row));
  assert.ok(row!.transactions < 20, JSON.stringify(row));
  assert.equal((await find(storedPhone(100_017))).standing[0]!.channel, 'voice');
});

test('incomplete values, and values that do not match the file, are refused, and no import starts', async () => {
  const list = await newList();
  const good = { consent_channel: 'sms', consent_form: 'news', consent_at: '2026-02-01T00:00:00Z' };
  const { consent_channel: _channel, ...noChannel } = good;
  const { consent_form: _form, ...noForm } = good;
  const { consent_at: _at, ...noTime } = good;
  for (const [bad, field] of [
    [noChannel, 'consent_channel'],
    [{ ...good, consent_channel: 'mail' }, 'consent_channel'],
    [{ ...good, consent_channel: 'pigeon' }, 'consent_channel'],
    [noForm, 'consent_form'],
    [{ ...noForm, consent_form: ' ' }, 'consent_form'],
    [noTime, 'consent_at'],
    [{ ...good, consent_column: '1' }, 'consent_at'],
    [{ ...good, consent_at: '2999-01-01T00:00:00Z' }, 'consent_at'],
    [{ ...good, consent_at: 'spring' }, 'consent_at'],
    [{ ...noTime, consent_column: '3' }, 'consent_column'],
    [{ ...noTime, consent_column: '0' }, 'consent_column'],
  ] as const) {
    const answer = await api.post(`/contact-lists/${list}/import${query(bad)}`, 'phone,name\n0507000001,x\n');
    const { error } = (await answer.json()) as { error: { code: string; field: string } };
    assert.deepEqual(
      [answer.status, error.code, error.field],
      [400, 'bad-field', field],
      JSON.stringify(bad),
    );
  }
  const { imports } = await calls.get<{ imports: object[] }>(`/imports?list_id=${list}`);
  assert.deepEqual(imports, []);
});
