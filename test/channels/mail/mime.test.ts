import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { SendMailOptions } from 'nodemailer';
import NodemailerDkim from 'nodemailer/lib/dkim';
import MailComposer from 'nodemailer/lib/mail-composer';
import PostalMime from 'postal-mime';
import { channels } from '../../../server/channels/index.ts';
import { readMailAddress } from '../../../server/channels/mail/addresses.ts';
import { compileContent, type MailContent, UNSUBSCRIBE } from '../../../server/channels/mail/content.ts';
import { compileMail, type MailKind, type OwnMail } from '../../../server/channels/mail/mail-template.ts';
import { envelopeOf, type WrittenMessage } from '../../../server/channels/mail/mime/message.ts';
import { linksOf, write } from '../../../server/channels/mail/placeholders.ts';
import { sendingSettings } from '../../../server/channels/mail/sending-settings.ts';
import { mailSettings } from '../../../server/channels/mail/settings.ts';
import { readConfig, settingsOf } from '../../../server/kit/config.ts';
import { escapeHtml } from '../../../server/kit/text/html.ts';
import { DkimSigner } from '../../../server/protocols/smtp/dkim.ts';
import { covers } from '../../conformance/covers.ts';
import { verifyDkim } from './dkim.ts';

/* Mails of campaigns beside what nodemailer makes of the same ones. */

const PREFIX = '=_';
const BASE = '0123456789abcdef';
const BOUNDARY = `${PREFIX}-${BASE}-Part_1`;
const date = new Date(Date.UTC(2026, 10, 22, 16, 30));

const lineEnds = (text: string): string => text.replace(/\r\n?|\n/g, '\r\n');
const rawOf = ({ fields, body }: WrittenMessage): string =>
  Buffer.from(`${fields.join('\r\n')}\r\n\r\n${body}`).toString('latin1');

/** A mail as nodemailer puts it on the wire, with a character for each octet. */
async function byNodemailer(mail: SendMailOptions): Promise<string> {
  const options = { ...mail, baseBoundary: BASE, boundaryPrefix: PREFIX };
  return lineEnds((await new MailComposer(options).compile().build()).toString('latin1'));
}

/** What a mail of a campaign says, put together from its whole texts. */
function wholeMail(
  content: MailContent,
  { isRemovable, isTracked }: MailKind,
  own: OwnMail,
): SendMailOptions {
  const compiled = compileContent(content);
  const values = (name: string) => (name === UNSUBSCRIBE ? own.removal : own.values(name));
  let html = compiled.html && write(compiled.html, values, isTracked ? own.linkTo : null);
  let text = compiled.text && write(compiled.text, values);
  const atEnd = (given: string, addition: string) => {
    // Not by lower case, of which İ has one letter more.
    const at = [...given.matchAll(/<\/body/gi)].at(-1)?.index ?? -1;
    return at === -1 ? given + addition : given.slice(0, at) + addition + given.slice(at);
  };
  const words = content.language === 'he' ? 'להסרה מרשימת התפוצה' : 'Unsubscribe';
  if (isRemovable && html !== null && !compiled.htmlHasRemoval) {
    const href = escapeHtml(own.removal);
    html = atEnd(html, `<p dir="auto"><small><a href="${href}">${words}</a></small></p>`);
  }
  if (isRemovable && text !== null && !compiled.textHasRemoval) text += `\n\n${words}: ${own.removal}\n`;
  if (isTracked && html !== null) {
    html = atEnd(html, `<img src="${escapeHtml(own.image)}" width="1" height="1" alt="">`);
  }
  return {
    from: content.from,
    to: { name: '', address: own.to },
    subject: write(compiled.subject, values),
    messageId: own.messageId,
    date,
    ...(content.replyTo !== null && { replyTo: { name: '', address: content.replyTo } }),
    ...(html !== null && { html: lineEnds(html) }),
    ...(text !== null && { text: lineEnds(text) }),
    ...(isRemovable && {
      headers: {
        'List-Unsubscribe': `<${own.removal}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }),
  };
}

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 12 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 90 }) },
  fc.constantFrom(
    'שלום עולם ',
    'مرحبا',
    'Привет ',
    '👩‍👩‍👧 ',
    'é',
    ' '.repeat(80),
    'x'.repeat(100),
    'א'.repeat(60),
  ),
  fc.constantFrom('\n', '\r\n', 'a\rb', ' \n', '\t\r\n', '.', '\n.\n', '\n..', '=', '=3D', '=\r\n', '--'),
);
const value = fc.oneof(
  fc.constantFrom('Dana', 'דנה', '', 'a b', ' a ', '.', '\n.\n', '=?utf-8?Q?x?='),
  fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
);
const fieldPiece = fc.constantFrom(
  '{{a}}',
  '{{b|there}}',
  '{{unsubscribe}}',
  'Hello {{a}},\r\n',
  '{{a}}{{b}}',
);
const htmlPiece = fc.constantFrom(
  '<p>Hello</p>\n',
  '<a href="https://example.com/?a=1&amp;b=2">look</a>',
  '<a href="https://example.com/{{a}}">',
  '<img alt="{{b}}">',
  '</body></html>',
  '<p dir="rtl">שלום</p>',
);
const joined = (...pieces: fc.Arbitrary<string>[]) =>
  fc.array(fc.oneof(...pieces), { minLength: 1, maxLength: 30 }).map((all) => all.join(''));
/** Nodemailer leaves out a part without a character. */
const visible = (text: string) => text.replace(/\{\{[^{}]*\}\}/g, '').trim() !== '';
const line = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ').trim();

const address = fc.constantFrom(
  'dana@example.com',
  'דנה@example.com',
  'a.b+c@דוגמה.co.il',
  "o'hara@x.example",
  'ü@ü.example',
);
const contents = (fields: boolean) => {
  const own = fields ? [piece, fieldPiece] : [piece];
  return fc
    .record({
      name: joined(piece).map(line),
      replyTo: fc.option(address),
      subject: joined(...own)
        .map(line)
        .filter(visible),
      html: fc.option(joined(...own, fields ? htmlPiece : fc.constant('<b>bold</b>')).filter(visible)),
      text: fc.option(joined(...own).filter(visible)),
    })
    .filter(({ html, text }) => html !== null || text !== null)
    .map(
      ({ name, replyTo, subject, html, text }): MailContent => ({
        from: { name, address: 'news@shop.example' },
        ...{ replyTo, subject, html, text },
        links: html === null ? [] : linksOf(html),
        language: /[א-ת]/.test(subject) ? 'he' : 'en',
        removable: true,
        literal: !fields,
      }),
    );
};
const owns = fc.record({ to: address, a: value, b: value, token: fc.stringMatching(/^[a-z2-7]{50}$/) }).map(
  ({ to, a, b, token }): OwnMail => ({
    to,
    values: (name) => ({ a, b })[name],
    linkTo: (index) => `https://mail.example/m/c/${index}${token}`,
    removal: `https://mail.example/mail/remove/${token}${token}`,
    image: `https://mail.example/m/o/${token}`,
    replyTo: '',
    messageId: `<${token}@bounces.example.com>`,
    date,
  }),
);
const kinds = fc.record({ isRemovable: fc.boolean(), isTracked: fc.boolean() }, { noNullPrototype: true });
const plain: MailKind = { isRemovable: false, isTracked: false };

const isReadable = (given: string): boolean => readMailAddress(given) !== undefined;

/** The header of a mail without the encoding of its one part. */
const headerOf = (raw: string): string =>
  raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/Content-Transfer-Encoding: .*\r\n/, '');

/** Without line ends behind it, of which a program shows one less where a text is in base64. */
const textIn = (read: string | undefined): string => (read ?? '').replace(/\r\n?/g, '\n').replace(/\n*$/, '');

async function parsed(raw: string) {
  const { html, text, headers, attachments, ...others } = await PostalMime.parse(Buffer.from(raw, 'latin1'));
  const shown = headers.filter(({ key }) => key !== 'content-transfer-encoding');
  return { ...others, headers: shown, attachments, html: textIn(html), text: textIn(text) };
}

test(
  'mails with any content and recipients are parsed like those of nodemailer',
  covers('mail.mime'),
  async () => {
    await fc.assert(
      fc.asyncProperty(
        contents(true),
        kinds,
        fc.array(owns, { minLength: 1, maxLength: 3 }),
        async (content, kind, mails) => {
          const writeMail = compileMail(compileContent(content), kind, BOUNDARY);
          for (const own of mails) {
            const raw = rawOf(writeMail(own));
            const theirs = await byNodemailer(wholeMail(content, kind, own));
            assert.equal(headerOf(raw), headerOf(theirs));
            const { headerLines: _, ...ours } = await parsed(raw);
            const { headerLines: __, ...expected } = await parsed(theirs);
            assert.deepEqual(ours, expected);
          }
        },
      ),
      { numRuns: 300 },
    );
  },
);

test(
  'Lines of bodies are ASCII of at most 76 characters, each with CRLF at its end',
  covers('mail.mime'),
  () => {
    fc.assert(
      fc.property(contents(true), kinds, owns, (content, kind, own) => {
        const { fields, body } = compileMail(compileContent(content), kind, BOUNDARY)(own);
        for (const one of body.split('\r\n')) assert.match(one, /^[\t -~]{0,76}$/);
        assert.ok(body.endsWith('\r\n'));
        assert.ok(fields.every((field) => !/\r(?!\n[ \t])|(?<!\r)\n/.test(field)));
      }),
    );
  },
);

test('A mail that is the same for all has the octets of nodemailer', covers('mail.mime'), async () => {
  await fc.assert(
    fc.asyncProperty(contents(false), owns, async (content, own) => {
      // White space at the end is broken into lines by itself there.
      const { html, text, ...others } = content;
      const same = { ...others, html: html?.trimEnd() || null, text: text?.trimEnd() || null };
      const raw = rawOf(compileMail(compileContent(same), plain, BOUNDARY)(own));
      assert.equal(raw, await byNodemailer(wholeMail(same, plain, own)));
    }),
    { numRuns: 300 },
  );
});

test('A field with the boundary of a mail ends no part of it', covers('mail.injection'), async () => {
  const content: MailContent = {
    from: { name: '', address: 'news@shop.example' },
    ...{ replyTo: null, subject: 'Hello', links: [], language: 'en', removable: false, literal: false },
    text: 'Hello {{a}}\n',
    html: '<p>Hello {{a}}</p>\n',
  };
  const own = fc.sample(owns, 1)[0]!;
  const a = `\r\n--${BOUNDARY}--\r\n`;
  const raw = rawOf(compileMail(compileContent(content), plain, BOUNDARY)({ ...own, values: () => a }));
  const { text, html } = await parsed(raw);
  assert.deepEqual([text, html], [`Hello \n--${BOUNDARY}--`, `<p>Hello \n--${BOUNDARY}--\n</p>`]);
});

test('Addresses of the envelope are those of nodemailer', () => {
  const part = fc.stringMatching(/^[a-zA-Z0-9._+'-]{1,10}$/);
  const host = fc.oneof(
    fc.stringMatching(/^[a-zA-Z0-9.-]{1,12}\.[a-z]{2,3}$/),
    fc.constantFrom('example.com', 'דוגמה.co.il', 'ü.example', 'xn--6dbbec0c.co.il', '1.2', 'Example.COM'),
  );
  const any = fc.oneof(
    address,
    fc.tuple(part, host).map(([name, domain]) => `${name}@${domain}`),
  );
  fc.assert(
    fc.property(any.filter(isReadable), any.filter(isReadable), (from, to) => {
      const theirs = new MailComposer({ envelope: { from, to } }).compile().getEnvelope();
      assert.deepEqual(envelopeOf(from, to), { from: theirs.from, to: theirs.to[0] });
    }),
    { numRuns: 1_000 },
  );
});

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
const key = {
  domainName: 'דוגמה.co.il',
  keySelector: 'news',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
};

test('Signatures hold, and are those of nodemailer', covers('mail.DKIM'), async () => {
  const signer = new DkimSigner(key);
  const dkim = new NodemailerDkim({
    ...key,
    headerFieldNames:
      'From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post',
  });
  const bodies = fc.oneof(
    fc.constantFrom('\r\n', '\r\n\r\n', ' \r\n', 'a  b \t\r\n \r\n\r\n'),
    joined(piece).map((text) => `${lineEnds(text)}\r\n`),
  );
  await fc.assert(
    fc.asyncProperty(contents(true), kinds, owns, fc.option(bodies), async (content, kind, own, other) => {
      const { fields, body: made } = compileMail(compileContent(content), kind)(own);
      const body = other ?? made;
      const raw = rawOf({ fields, body });
      const signed = rawOf({ fields: [await signer.sign(fields, body), ...fields], body });
      assert.equal(verifyDkim(signed, publicKey)?.isValid, true);
      assert.equal(verifyDkim(`${signed}x\r\n`, publicKey)?.isValid, false);
      const chunks: Buffer[] = [];
      for await (const chunk of dkim.sign(Buffer.from(raw, 'latin1'))) chunks.push(chunk as Buffer);
      assert.equal(signed, Buffer.concat(chunks).toString('latin1'));
    }),
    { numRuns: 100 },
  );
});

test('a key that is not allowed for signatures of mails (RFC 8301) is refused at the start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-dkim-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'key.pem');
  const settings = { MAIL_DKIM_DOMAIN: 'shop.example', MAIL_DKIM_SELECTOR: 'news', MAIL_DKIM_KEY_FILE: file };
  const read = (pem: string | Buffer) => {
    writeFileSync(file, pem);
    return sendingSettings(
      { ...settingsOf(readConfig(settings, channels), mailSettings) },
      'https://mail.example',
      undefined,
    ).dkim;
  };
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  assert.throws(
    () => read(elliptic.export({ type: 'pkcs8', format: 'pem' })),
    /MAIL_DKIM_KEY_FILE cannot be used: it must be an RSA key/,
  );
  assert.equal(read(key.privateKey)?.domainName, 'shop.example');
});
