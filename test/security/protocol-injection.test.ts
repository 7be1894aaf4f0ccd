import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { freePort } from '../../bench/support/wait.ts';
import { Headers } from '../../server/protocols/sip/message.ts';
import { parseMessage, SipParseError } from '../../server/protocols/sip/parser.ts';
import { newAddress, startMail, tokenIn } from '../channels/mail/campaign-support.ts';
import { dsn } from '../channels/mail/reports.ts';
import { newPhone } from '../support/phones.ts';
import { waitFor } from '../support/wait-for.ts';

/* Line breaks and ends of texts, written to become commands or headers of SMTP, SMPP and SIP. */

const port = await freePort();
const mail = await startMail({ MAIL_BOUNCE_PORT: String(port), MAIL_BOUNCE_DOMAIN: 'bounces.example.com' });
const { service, v1 } = mail;
const EVIL = 'evil@attacker.example';
const breaks = ['\r\n', '\n', '\r', '\u0000', '\u000b', '\u0085', '\u2028', '%0d%0a', '\\r\\n', '=0D=0A'];

describe('write headers and recipients into a mail', () => {
  test('by the subject, by the name of the sender, and by the name of a reader', async () => {
    const address = newAddress();
    for (const lineBreak of breaks) {
      const evil = `x${lineBreak}Bcc: ${EVIL}${lineBreak}X-Evil: yes${lineBreak}${lineBreak}<script>`;
      const users = await v1('POST', 'mail/lists', { name: 'list' });
      const added = await v1('POST', `mail/lists/${users.body.id}/users`, {
        users: [{ email: address, first_name: evil.slice(0, 40), fields: { city: evil } }],
      });
      assert.ok(added.status === 200 || added.status === 400, JSON.stringify(added.body));
      const made = await v1('POST', 'mail/campaigns', {
        from: { name: evil, address: 'news@shop.example' },
        subject: `Hi {{FirstName}} {{city}} ${evil}`,
        text: 'Hello',
        lists: [users.body.id],
      });
      assert.ok(made.status === 202 || made.status === 400, JSON.stringify(made.body));
      if (made.status === 202) await mail.finished(made.body.id as string);
    }
    const arrived = await mail.mailbox(address);
    assert.ok(arrived.length > 0, 'some of them are sent, on one line');
    for (const { headers, text } of arrived) {
      assert.equal(headers['x-evil'], undefined);
      assert.equal(headers.bcc, undefined);
      assert.ok(headers.to!.includes(address) && !headers.to!.includes('attacker'), headers.to);
      assert.doesNotMatch(text, /X-Evil/);
    }
    assert.deepEqual(await mail.mailbox(EVIL), []);
  });

  test('by addresses: of a reader, of the sender, for answers', async () => {
    const list = await mail.list([]);
    for (const address of [
      `a@b.example\r\nBcc: ${EVIL}`,
      `a@b.example\nRCPT TO:<${EVIL}>`,
      `a@b.example>\r\nRCPT TO:<${EVIL}`,
      '<a@b.example> NOTIFY=NEVER',
      `a@b.example, ${EVIL}`,
      `a@b.example;${EVIL}`,
      `"a\r\nb"@b.example`,
      'a b@b.example',
      'a@b.example\u0000',
      'a@[127.0.0.1]',
      '@relay.example:a@b.example',
      'a%b.example@relay.example@c',
    ]) {
      const added = await v1('POST', `mail/lists/${list}/users`, { users: [{ email: address }] });
      const { n } = (
        await service.sql`
        SELECT count(*)::int AS n FROM mail_users WHERE address LIKE ${'%attacker%'} OR address ~ ${'[\\s<>,;"]'}`
      )[0]!;
      assert.equal(n, 0, `${JSON.stringify(address)}: ${JSON.stringify(added.body)}`);
      for (const field of [{ from: { address } }, { reply_to: address }]) {
        const made = await v1('POST', 'mail/campaigns', {
          from: { address: 'news@shop.example' },
          subject: 'Hi',
          text: 'Hi',
          lists: [list],
          ...field,
        });
        assert.equal(made.status, 400, `${JSON.stringify(field)}: ${JSON.stringify(made.body)}`);
      }
    }
  });

  test('by lines of the text that end the mail for a careless server', async () => {
    const address = newAddress();
    const list = await mail.list([{ email: address }]);
    const ends = ['\r\n.\r\n', '\n.\n', '\n.\r\n', '\r.\r', '\r\n.\n', '\r\n.\r'];
    for (const end of ends) {
      const evil = `before${end}MAIL FROM:<${EVIL}>\r\nRCPT TO:<victim@example.com>\r\nDATA\r\nSubject: smuggled\r\n\r\nx${end}`;
      await mail.finished(await mail.send([list], { text: evil, html: `<pre>${evil}</pre>` }));
    }
    const arrived = await mail.mailbox(address);
    assert.equal(arrived.length, ends.length);
    for (const { text } of arrived) assert.match(text, /^\.?\s*MAIL FROM/m, 'it is text, whole');
    assert.deepEqual(await mail.mailbox('victim@example.com'), []);
  });
});

/** Speaks to the server of bounces to the letter; everything that it says until it has said `count` replies. */
function speak(lines: readonly string[], count: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let said = '';
    let sent = 0;
    const deadline = setTimeout(() => reject(new Error(`it says no more: ${said}`)), 10_000);
    const end = () => {
      clearTimeout(deadline);
      socket.destroy();
      resolve(said);
    };
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1');
      const replies = said.match(/^\d{3} .*$/gm)?.length ?? 0;
      if (replies >= count) return end();
      while (sent < lines.length && sent < replies) socket.write(lines[sent++]!, 'latin1');
    });
    socket.on('error', end);
    socket.on('close', end);
  });
}

describe('speak to the server of bounces', () => {
  test('smuggle a second mail after an end that is invalid', async () => {
    const address = newAddress();
    const list = await mail.list([{ email: address }]);
    await mail.finished(await mail.send([list]));
    const [arrived] = await mail.mailbox(address);
    const to = `b-${tokenIn(arrived!)}@bounces.example.com`;
    const report = dsn('Action: failed', 'Status: 5.1.1').replace(/\r?\n/g, '\r\n');
    for (const end of ['\n.\n', '\n.\r\n', '\r.\r', '\r\n.\n', '\r\n.\r', '\r.\n', '\r\n\u0000.\r\n']) {
      const smuggled = `MAIL FROM:<>\r\nRCPT TO:<${to}>\r\nDATA\r\n${report}\r\n.\r\n`;
      const said = await speak(
        [
          'EHLO attacker.example\r\n',
          'MAIL FROM:<>\r\n',
          `RCPT TO:<${to}>\r\n`,
          'DATA\r\n',
          `Subject: hello\r\n\r\nNothing of note${end}${smuggled}`,
          'QUIT\r\n',
        ],
        7,
      );
      // One mail was taken: its end is the one behind what was to be the second.
      const taken = said.match(/^250 .*(queued|OK|accepted).*$/gim) ?? [];
      assert.equal((said.match(/^354 /gm) ?? []).length, 1, `${JSON.stringify(end)}: ${said}`);
      assert.ok(taken.length >= 1, said);
      const [user] = await service.sql`SELECT status FROM mail_users WHERE address = ${address}`;
      assert.equal(user!.status, 'active', `${JSON.stringify(end)}: the smuggled report was believed`);
    }
  });

  test('as an open relay, a directory, or a way in', async () => {
    const said = await speak(
      [
        'EHLO attacker.example\r\n',
        'MAIL FROM:<a@attacker.example>\r\n',
        'RCPT TO:<dana@example.com>\r\n',
        'RCPT TO:<b-forged@bounces.example.com>\r\n',
        'RCPT TO:<@bounces.example.com:dana@example.com>\r\n',
        'RCPT TO:<complaints%example.com@elsewhere.example>\r\n',
        'VRFY demo\r\n',
        'AUTH PLAIN AGRlbW8AZGVtbw==\r\n',
        'STARTTLS\r\n',
        'DATA\r\n',
        'QUIT\r\n',
      ],
      12,
    );
    const codes = [...said.matchAll(/^(\d{3}) /gm)].map(([, code]) => Number(code));
    // 220, 250 EHLO, 250 MAIL; then nothing that was asked for is had.
    assert.deepEqual(codes.slice(0, 3), [220, 250, 250], said);
    const refused = codes.slice(3, 10);
    assert.ok(
      refused.every((code, index) => code >= 400 || (index === 4 && code === 252)),
      said,
    );
  });

  test('with a token of one mail changed into that of another', async () => {
    const address = newAddress();
    const list = await mail.list([{ email: address }]);
    await mail.finished(await mail.send([list]));
    const mark = tokenIn((await mail.mailbox(address))[0]!);
    for (let at = 0; at < mark.length; at += 3) {
      const other = mark[at] === 'a' ? 'b' : 'a';
      const forged = mark.slice(0, at) + other + mark.slice(at + 1);
      const said = await speak(
        [
          'EHLO x.example\r\n',
          'MAIL FROM:<>\r\n',
          `RCPT TO:<b-${forged}@bounces.example.com>\r\n`,
          'QUIT\r\n',
        ],
        5,
      );
      assert.match(said, /^550 /m, `${at}: ${said}`);
    }
  });
});

describe('write fields into SMPP and SIP by the APIs', () => {
  test('numbers and senders are digits and letters, whatever is hidden in them', async () => {
    for (const lineBreak of breaks.slice(0, 7)) {
      for (const [content, statuses] of [
        [{ source: 'Shop', destinations: { phone: `0501234567${lineBreak}Via: SIP/2.0` } }, [1, 2, 9]],
        [{ source: `Shop${lineBreak}X`, destinations: { phone: newPhone() } }, [1, 2, 992]],
        [
          {
            source: 'Shop',
            destinations: { phone: `0501234567@evil.example${lineBreak}` },
            tts: { type: 4 },
          },
          [1, 2, 9],
        ],
        [
          {
            source: 'Shop',
            destinations: { phone: newPhone() },
            tts: { type: 4, voice: `ymMale${lineBreak}` },
          },
          [0, 1, 2],
        ],
      ] as const) {
        const answer = await service.call('json', 'sms', { message: 'Hello', ...content });
        assert.ok(
          (statuses as readonly number[]).includes(answer.status),
          `${JSON.stringify(content)}: ${answer.status}`,
        );
      }
    }
  });

  test('a text with everything that a protocol could end by arrives as one SMS', async () => {
    const phone = newPhone();
    const message = 'a\r\nb\n.\r\nBYE sip:x SIP/2.0\u001b[31m id:0000000001 stat:DELIVRD err:000 text:';
    const answer = await service.call('json', 'sms', { source: 'Shop', destinations: { phone }, message });
    assert.equal(answer.status, 0, answer.message);
    const arrived = await waitFor('the SMS', async () => {
      const all = await service.phone(phone);
      return all.length > 0 && all;
    });
    assert.equal(arrived.length, 1);
    assert.match(arrived[0]!.text, /BYE sip:x SIP\/2\.0/);
  });

  test('what a peer of SIP sends is read as one message, or not at all', () => {
    const invite = (field: string, body = '') =>
      Buffer.from(
        `INVITE sip:a@b SIP/2.0\r\nVia: SIP/2.0/UDP x;branch=z9hG4bK1\r\nFrom: <sip:1@x>;tag=1\r\nTo: <sip:2@y>\r\nCall-ID: 1\r\nCSeq: 1 INVITE\r\n${field}\r\n\r\n${body}`,
      );
    assert.equal(parseMessage(invite('X: y')).headers.get('X'), 'y');
    for (const field of [
      'X: a\nVia: SIP/2.0/UDP evil',
      'X: a\rEvil: yes',
      'X: a\u0000b',
      'Content-Length: 5\r\nContent-Length: 0',
      'Content-Length: -1',
      'Content-Length: 99999',
      'no colon',
      ' : nameless',
    ]) {
      assert.throws(() => parseMessage(invite(field)), SipParseError, JSON.stringify(field));
    }
    for (const name of ['__proto__', 'constructor', 'toString']) {
      assert.equal(new Headers().get(name), undefined);
      assert.equal(new Headers().add(name, 'x').get(name), 'x');
    }
  });
});
