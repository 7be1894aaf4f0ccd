import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';

/* Mails of an attacker, for the listener for bounces: anybody may send one to the address for complaints. */

const fill = (piece: string, bytes: number) => piece.repeat(Math.floor(bytes / piece.length));
const nested = (levels: number) =>
  Array.from(
    { length: levels },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
  ).join('');
const parts = (head: string, bytes: number) =>
  `Content-Type: multipart/mixed; boundary=b\r\n\r\n${fill(`--b\r\n${head}\r\n\r\n`, bytes)}`;
const report = (type: string, body: string) =>
  `Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: ${type}\r\n\r\n${body}`;

/** Mails by what they are made of. */
export const hostileMails: Readonly<Record<string, (bytes: number) => string>> = {
  '100,000 headers': (bytes) => fill('a:b\r\n', bytes),
  'different headers': (bytes) => Array.from({ length: bytes / 12 }, (_, i) => `h${i}: x`).join('\r\n'),
  'a long line': (bytes) => `Subject: ${fill('x', bytes)}`,
  'a folded header': (bytes) => `Subject: x${fill('\r\n x', bytes)}`,
  'encoded words': (bytes) => `Subject: ${fill('=?utf-8?q?a?= ', bytes)}`,
  'encoded words that do not end': (bytes) => `Subject: ${fill('=?', bytes)}`,
  addresses: (bytes) => `From: ${fill('a@b,', bytes)}`,
  'groups of addresses': (bytes) => `From: ${fill(':', bytes)}`,
  parameters: (bytes) => `Content-Type: text/plain; ${fill('a*1*=b;', bytes)}`,
  'boundaries in boundaries': (bytes) => nested(bytes / 60),
  'twenty levels': (bytes) => nested(20) + fill('--b1\r\n', bytes),
  'lines that are nearly boundaries': (bytes) => nested(20) + fill('--\r\n', bytes),
  'parts without anything': (bytes) => parts('', bytes),
  'parts of text': (bytes) => parts('Content-Type: text/plain', bytes),
  'parts of mails': (bytes) => parts('Content-Type: message/rfc822\r\n\r\nX: y', bytes),
  'mails in mails': (bytes) => fill('Content-Type: message/rfc822\r\n\r\n', bytes),
  'a long boundary': (bytes) =>
    `Content-Type: multipart/mixed; boundary="${'b'.repeat(60_000)}"\r\n\r\n${fill(`--${'b'.repeat(59_999)}\r\n`, bytes)}`,
  'line ends': (bytes) => `A: b\r\n\r\n${fill('\r\n', bytes)}`,
  'flowed text': (bytes) => `Content-Type: text/plain; format=flowed\r\n\r\n${fill(' \r\n', bytes)}`,
  'quoted-printable': (bytes) =>
    `Content-Transfer-Encoding: quoted-printable\r\n\r\n${fill('=D7\r\n', bytes)}`,
  base64: (bytes) => `Content-Transfer-Encoding: base64\r\n\r\n${fill('YQ==\r\n', bytes)}`,
  html: (bytes) => `Content-Type: text/html\r\n\r\n${fill('<a href="', bytes)}`,
  'a report of many fields': (bytes) => report('message/feedback-report', fill('a: b\r\n', bytes)),
  'a complaint about a mail of many headers': (bytes) =>
    report(
      'message/feedback-report',
      `Feedback-Type: abuse\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n${fill('a: b\r\n\r\n', bytes)}`,
    ),
  'a status of many recipients': (bytes) =>
    report('message/delivery-status', fill('action: failed\r\n\r\n', bytes)),
  'a status of folded lines': (bytes) => report('message/delivery-status', fill('\r\n ', bytes)),
  'words of a mailer daemon': (bytes) =>
    `From: mailer-daemon@example.com\r\nContent-Type: text/plain\r\n\r\n${fill('#5.1.1\r\n', bytes)}`,
  dots: (bytes) => `A: b\r\n\r\n${fill('\r\n..', bytes)}`,
  'carriage returns': (bytes) => `A: b\r\n\r\n${fill('\r', bytes)}`,
  NUL: (bytes) => fill('\0', bytes),
};

/** Says lines of SMTP, each after the answer to the one before, and then a mail; the last answer. */
export async function sendMail(port: number, mail: string, lines = commands): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1');
  try {
    await answer(socket);
    for (const line of lines) {
      socket.write(`${line}\r\n`);
      const said = await answer(socket);
      assert.match(said, /^[23]/, `${line.slice(0, 100)}: ${said}`);
    }
    socket.write(mail, 'latin1');
    socket.write('\r\n.\r\n');
    return await answer(socket);
  } finally {
    socket.destroy();
  }
}

const commands = ['EHLO example.com', 'MAIL FROM:<>', 'RCPT TO:<complaints@example.com>', 'DATA'];

/** Command lines of an attacker; whatever is answered to them. */
export const hostileCommands: readonly string[] = [
  fill(' ', 100_000),
  fill('EHLO ', 500_000),
  `EHLO ${fill('a.', 500_000)}`,
  `MAIL FROM:<${fill('a@', 500_000)}>`,
  `MAIL FROM:<a@b> ${fill('A=B ', 500_000)}`,
  `RCPT TO:${fill('<', 500_000)}`,
  fill('\r\n', 200_000),
  fill('NOOP\r\n', 200_000),
  fill('\0', 500_000),
];

/** Writes bytes and waits for the connection to be closed, or for an answer to the QUIT after them. */
export async function sayToServer(port: number, bytes: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  socket.write(`${bytes}\r\nQUIT\r\n`, 'latin1');
  await new Promise((resolve) => socket.once('close', resolve));
}

function answer(socket: ReturnType<typeof connect>): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const close = () => reject(new Error(`the server closed the connection: ${said}`));
    const take = (chunk: string) => {
      said += chunk;
      if (!/^\d{3} .*\r\n$/m.test(said)) return;
      socket.off('data', take).off('close', close);
      resolve(said);
    };
    socket.on('data', take).once('close', close);
  });
}
