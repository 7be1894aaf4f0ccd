import { connect } from 'node:net';
import { dsn } from '../../channels/mail/reports.ts';
import { breakBytes, type Chance, pick } from './mutate.ts';
import type { Target } from './target.ts';

/* Sessions with the server of bounces, broken anywhere. */

const report = dsn(
  'Action: failed',
  'Status: 5.1.1',
  'Diagnostic-Code: smtp; 550 5.1.1 unknown user',
).replace(/\r?\n/g, '\r\n');
const session = (to: string) =>
  `EHLO mx.example.com\r\nMAIL FROM:<>\r\nRCPT TO:<${to}>\r\nDATA\r\n${report}\r\n.\r\nQUIT\r\n`;

export function smtpTarget(port: number, returnPath: string): Target {
  return {
    name: 'smtp',
    atOnce: 8,
    next(chance: Chance) {
      const whole = Buffer.from(
        session(chance() < 0.7 ? returnPath : pick(chance, ['x@bounces.example.com', ''])),
      );
      return { octets: breakBytes(chance, whole).toString('base64') };
    },
    /**
     * Sends all octets together with the end of the connection. Every line of the response must be valid SMTP, and the
     * server must close the connection.
     */
    bring: ({ octets }) =>
      new Promise((resolve) => {
        let answer = '';
        const socket = connect(port, '127.0.0.1');
        socket.setEncoding('latin1').on('data', (text) => {
          answer += text;
        });
        socket.on('error', () => {});
        socket.on('close', () => {
          const strange = answer.split('\r\n').find((line) => line !== '' && !/^[2345]\d\d[ -]/.test(line));
          resolve(strange === undefined ? undefined : `answered ${JSON.stringify(strange)}`);
        });
        socket.end(Buffer.from(String(octets), 'base64'));
      }),
    close: async () => {},
  };
}
