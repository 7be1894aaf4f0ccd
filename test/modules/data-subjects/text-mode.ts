import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEALED } from '../../../server/database/sealed-text.ts';
import type { TextMode } from '../../../server/secrets/text-storage.ts';
import { waitFor } from '../../support/wait-for.ts';
import { jpeg } from '../media/samples.ts';
import {
  countsOf,
  dump,
  filesBelow,
  filesIn,
  linesWith,
  named,
  needlesOf,
  openDump,
  type Persons,
  type Request,
  type Somebody,
  somebody,
} from './support.ts';

/** What people said is removed, but for what was written beside the messages. */
const isKept = { plain: true, sealed: true, none: false };
/** Erased persons with their messages, in every mode. */
const pseudonyms = new Set<string>();

/**
 * Tests an export and an erasure of a person whose texts are stored in this mode. Returns a neighbour, of whom everything is
 * left.
 */
export function testTextMode(persons: Persons, mode: TextMode): Somebody {
  const { service, sql, demo, owner, api, live, search, erase, until } = persons;
  const [dana, neighbour] = [somebody(`Papaya${mode}`), somebody(`Quince${mode}`)];
  const filesThere = () => filesBelow(service.appContext.config.MEDIA_DIR!).length;

  test(`texts ${mode}: an export has everything of a person over all channels, and nothing of a neighbour`, async () => {
    await persons.storeTexts(mode);
    const both = await persons.upload('both.jpg', jpeg(41_000 + mode.length));
    await live(dana, [both]);
    await live(neighbour, [both]);
    await api.post(
      '/sms',
      { source: 'Shop', message: 'To both', phones: [dana.phone, neighbour.phone] },
      202,
    );
    if (mode === 'none') await persons.runRetention();
    const found = countsOf((await search(dana)).counts);
    for (const kind of [
      'messages',
      'clicks',
      'incoming-sms',
      'incoming-chat',
      'incoming-mail',
      'conversations',
      'conversation-entries',
      'files',
      'contacts',
      'mailing-list-users',
      'chat-windows',
      'events',
    ]) {
      assert.ok(found[kind]! > 0, `${kind}: ${JSON.stringify(found)}`);
    }
    const { id } = await owner.post<Request>(
      '/data-subjects/exports',
      { ...named(dana), reference: 'r-1' },
      202,
    );
    const made = await until(id, 'done');
    assert.equal(made.reference, 'r-1');
    const answer = await owner.fetch('GET', `/data-subjects/requests/${id}/archive`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-disposition')!, /personal-data-\d+\.tar\.gz/);
    const files = await filesIn(Buffer.from(await answer.arrayBuffer()));
    const names = [...files.keys()];
    for (const kind of [
      'messages',
      'incoming-sms',
      'incoming-chat',
      'incoming-mail',
      'contacts',
      'conversation-entries',
    ])
      assert.ok(names.includes(`${kind}.json`) && names.includes(`${kind}.csv`), `${kind} in ${names}`);
    assert.equal(names.filter((name) => /^files\/\d+\.jpe?g$/.test(name)).length, 3, names.join());
    const text = [...files].map(([, bytes]) => bytes.toString('latin1')).join('\n');
    const { word } = dana;
    for (const said of [
      `Dear ${word}`,
      `${word} aloud`,
      `${word} by SMS`,
      `${word} by chat`,
      `${word} by mail`,
      `${word} reply`,
    ])
      assert.equal(text.includes(said), isKept[mode], said);
    assert.ok(text.includes(`${word} note`));
    const readable = [...files].filter(([name]) => !name.startsWith('files/'));
    const marks = [SEALED, JSON.stringify(SEALED).slice(1, -1)];
    const sealed = readable.filter(([, bytes]) => marks.some((mark) => bytes.includes(mark)));
    assert.deepEqual(
      sealed.map(([name]) => name),
      [],
    );
    for (const needle of needlesOf(neighbour)) assert.ok(!text.includes(needle), `${needle} of a neighbour`);
    const page = files.get('index.html')!.toString();
    assert.match(page, /Messages that were sent/);
    assert.match(page, /הודעות שנשלחו/);
    // Noted when all of it was sent.
    await waitFor('the entry of the download', async () => {
      const { entries } = await owner.get<{ entries: { action: string; object: { id: string } }[] }>(
        '/audit?kind=data-subject-requests',
      );
      return entries.some(({ action, object }) => action.endsWith('/archive') && object.id === id);
    });
  });

  test(`texts ${mode}: after an erasure the number, the address and the texts are nowhere; a neighbour has all of theirs`, async () => {
    const before = linesWith(await dump(sql), needlesOf(neighbour)).length;
    const openBefore = linesWith(await openDump(sql), needlesOf(neighbour)).length;
    const filesBefore = filesThere();
    assert.ok(linesWith(await openDump(sql), needlesOf(dana)).length > 10);
    const request = await erase(dana, `case 7 ${mode}`);
    const done = countsOf(request.counts);
    assert.ok(done.messages! >= 3 && done.files === 2 && done.exports === 1, JSON.stringify(done));
    assert.deepEqual(linesWith(await dump(sql), needlesOf(dana)), []);
    assert.deepEqual(linesWith(await openDump(sql), needlesOf(dana)), []);
    assert.equal(
      linesWith(await dump(sql), needlesOf(neighbour)).length,
      before,
      'nothing of theirs is there in plain that was not',
    );
    assert.equal(linesWith(await openDump(sql), needlesOf(neighbour)).length, openBefore);
    assert.equal(filesThere(), filesBefore - 2, 'the file that the neighbour got, too, is there');
    assert.deepEqual((await search(dana)).counts, []);
    const erased = linesWith(await openDump(sql), ['data_subject.erased']);
    assert.ok(erased.some((line) => line.includes(`case 7 ${mode}`)));
  });

  test(`texts ${mode}: what is left of erased messages can still be read, counted and listed`, async () => {
    const rows = await sql<{ id: number; channel: number }[]>`
    SELECT id, channel FROM messages WHERE account_id = ${demo.id} AND recipient LIKE 'erased-%' ORDER BY id`;
    assert.deepEqual([...new Set(rows.map(({ channel }) => channel))].sort(), [0, 1, 2, 3]);
    for (const { id } of rows) {
      await owner.get(`/messages/${id}`);
      await owner.get(`/messages/${id}/content`);
    }
    await owner.get('/messages?limit=50');
  });

  test(`texts ${mode}: what is left says nothing of whom it was, and a late answer or click of theirs brings nothing back`, async () => {
    const recipients = await sql<
      { recipient: string }[]
    >`SELECT recipient FROM messages WHERE recipient LIKE 'erased-%'`;
    const known = pseudonyms.size;
    for (const { recipient } of recipients) pseudonyms.add(recipient);
    assert.equal(pseudonyms.size, known + 2);
    const [left] = await sql<{ sealed: number; open: number }[]>`
    SELECT (SELECT count(*)::int FROM data_subject_requests WHERE sealed IS NOT NULL) AS sealed,
      (SELECT count(*)::int FROM conversations WHERE client LIKE 'erased-%') AS open`;
    assert.deepEqual(left, { sealed: 0, open: 0 });
    const texts = await service.phone(dana.phone);
    const link = texts.flatMap(({ text }) => /https?:\/\/\S+/.exec(text) ?? [])[0]!;
    await fetch(link, { redirect: 'manual' });
    const [mail] = await persons.mail.mailbox(dana.address);
    const answer = {
      from: dana.address,
      to: mail!.headers['reply-to']!,
      subject: 'Re',
      text: 'Papaya again',
    };
    await persons.transport.sendMail(answer).catch(() => {});
    assert.deepEqual(linesWith(await openDump(sql), needlesOf(dana)), []);
    assert.deepEqual(linesWith(await dump(sql), needlesOf(dana)), []);
  });
  return neighbour;
}
