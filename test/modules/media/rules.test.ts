import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { byteRangeOf } from '../../../server/kit/http/byte-range.ts';
import {
  digestOf,
  fileNameOf,
  isSendable,
  isShown,
  type MediaKind,
  typeOf,
} from '../../../server/modules/media/rules.ts';
import { Sniffer } from '../../../server/modules/media/sniffer.ts';
import { newFolder } from '../../support/database.ts';
import { docx, html, jpeg, mp4, pdf, png, program, svg, voiceNote, webp, zip } from './samples.ts';

/* What a file is, by its content. */

const folder = newFolder();
const sniffer = new Sniffer();
let files = 0;

async function typeIn(kind: MediaKind, content: Buffer, fileName = ''): Promise<string | null> {
  const path = join(folder, String(++files));
  writeFileSync(path, content);
  return typeOf({ kind, fileName }, await sniffer.read(path));
}

const utf16 = Buffer.from('\ufeffhello', 'utf16le');
const hebrew = Buffer.from('שלום '.repeat(20_000));
const word2003 = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);

describe('the type of a file', () => {
  const rows: [string, MediaKind, Buffer, string, string | null][] = [
    ['a JPEG', 'image', jpeg(), 'a.jpg', 'image/jpeg'],
    ['a PNG that is named a JPEG', 'image', png, 'a.jpg', 'image/png'],
    ['a web page that is named a picture', 'image', html, 'a.jpg', null],
    ['a drawing that runs a script', 'image', svg, 'a.svg', null],
    ['a program that is named a picture', 'image', program, 'a.png', null],
    ['a PDF that is sent as a picture', 'image', pdf, 'a.pdf', null],
    ['an empty picture', 'image', Buffer.alloc(0), 'a.png', null],
    ['a sticker', 'sticker', webp, '', 'image/webp'],
    ['a film', 'video', mp4, '', 'video/mp4'],
    ['a picture that is sent as a film', 'video', png, '', null],
    ['a voice note', 'audio', voiceNote(), '', 'audio/ogg'],
    ['a sound in the container of films', 'audio', mp4, '', 'audio/mp4'],
    ['a web page that is sent as a sound', 'audio', html, '', null],
    ['a PDF', 'document', pdf, 'a.pdf', 'application/pdf'],
    [
      'a Word document',
      'document',
      docx,
      'a.docx',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    ['a Word document of 2003', 'document', word2003, 'a.doc', 'application/msword'],
    ['an Excel document of 2003', 'document', word2003, 'A.XLS', 'application/vnd.ms-excel'],
    ['one of these without an ending', 'document', word2003, 'a', 'application/octet-stream'],
    ['a text', 'document', hebrew, 'a.txt', 'text/plain'],
    ['a table', 'document', Buffer.from('a,b\n1,2\n'), 'a.csv', 'text/csv'],
    ['a web page: a text', 'document', html, 'a.html', 'text/plain'],
    ['a text in UTF-16', 'document', utf16, 'a.txt', 'application/octet-stream'],
    ['a ZIP file', 'document', zip({ 'a.txt': 'a' }), 'a.pdf', 'application/zip'],
    ['a program that is named a PDF', 'document', program, 'a.pdf', 'application/x-msdownload'],
  ];
  for (const [name, kind, content, fileName, expected] of rows) {
    test(name, async () => assert.equal(await typeIn(kind, content, fileName), expected));
  }
});

test('a text that is cut in the middle of a character where it is looked at is one', async () => {
  for (const before of ['', 'a', 'ab', 'abc']) {
    const content = Buffer.from(`${before}${'😀א'.repeat(20_000)}`);
    assert.equal(await typeIn('document', content, 'a.txt'), 'text/plain');
  }
});

test('a ZIP file of very many files is read, and the next file is, too', async () => {
  const entries = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`${index}/x`, 'x']));
  assert.equal(await typeIn('document', zip(entries), 'a.docx'), 'application/zip');
  assert.equal(await typeIn('image', png), 'image/png');
});

test('a ZIP file that unpacks to half a gigabyte costs no memory of the service, and the next file is read', async () => {
  const bomb = zip({ '[Content_Types].xml': Buffer.alloc(512 * 1024 * 1024) }, true);
  assert.ok(bomb.length < 1024 * 1024);
  const before = process.memoryUsage.rss();
  const type = await typeIn('document', bomb, 'a.docx');
  assert.ok(type === 'application/zip' || type === 'application/octet-stream', String(type));
  assert.ok(process.memoryUsage.rss() - before < 256 * 1024 * 1024);
  assert.equal(await typeIn('image', png), 'image/png');
});

test('what the platform takes, and what a browser may show', () => {
  assert.ok(isSendable('image', 'image/jpeg') && !isSendable('image', 'image/webp'));
  assert.ok(!isSendable('document', 'application/octet-stream') && !isSendable('document', 'text/html'));
  assert.ok(isShown('image', 'image/png') && isShown('audio', 'audio/ogg'));
  assert.ok(!isShown('document', 'application/pdf') && !isShown('document', 'image/png'));
});

test('the name of a file has no folders, no control characters and nothing that turns texts around', () => {
  assert.equal(fileNameOf('../../etc/passwd'), 'passwd');
  assert.equal(fileNameOf('C:\\temp\\a.pdf'), 'a.pdf');
  assert.equal(fileNameOf('inv\u202efdp.exe\r\n'), 'invfdp.exe');
  assert.equal(fileNameOf('חשבונית.pdf'), 'חשבונית.pdf');
  assert.equal(fileNameOf('x'.repeat(1_000)).length, 240);
});

test('digests are read in hexadecimal and in base64', () => {
  const hash = createHash('sha256').update('a').digest();
  for (const told of [hash.toString('hex'), hash.toString('hex').toUpperCase(), hash.toString('base64')]) {
    assert.equal(digestOf(told), hash.toString('hex'));
  }
  assert.deepEqual(['', 'abc', 'x'.repeat(44)].map(digestOf).slice(0, 2), ['', '']);
});

test('ranges of a file', () => {
  const of = (header: string | undefined) => byteRangeOf(header, 100);
  assert.deepEqual(of('bytes=0-9'), { first: 0, last: 9 });
  assert.deepEqual(of('bytes=90-'), { first: 90, last: 99 });
  assert.deepEqual(of('bytes=90-1000'), { first: 90, last: 99 });
  assert.deepEqual(of('bytes=-10'), { first: 90, last: 99 });
  assert.deepEqual(of('bytes=-1000'), { first: 0, last: 99 });
  for (const all of [undefined, 'bytes=-', 'bytes=0-1,5-6', 'lines=0-1', 'bytes=9-1']) {
    assert.equal(of(all), undefined, all);
  }
  for (const none of ['bytes=100-', 'bytes=-0']) assert.equal(of(none), null, none);
  assert.equal(byteRangeOf('bytes=0-', 0), null);
});
