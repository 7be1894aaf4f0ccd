/*
 * A mail relay in a separate process that accepts every email, counts it and stores nothing. It shares the cores with
 * the measured system, so it only reads commands and detects the end of emails.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { answer } from '../support/child.ts';

const END = Buffer.from('\r\n.\r\n');
const replies: Readonly<Record<string, string>> = {
  EHLO: '250-sink\r\n250-PIPELINING\r\n250 8BITMIME\r\n',
  DATA: '354 go on\r\n',
  QUIT: '221 bye\r\n',
};
let count = 0;

answer({
  /** Listens. Returns the port. */
  async listen(): Promise<number> {
    const server = createServer({ noDelay: true }, serve);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  },
  count: () => count,
});

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  let isMail = false;
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    let left = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let said = '';
    for (;;) {
      const mark = isMail ? END : '\n';
      const at = left.indexOf(mark);
      if (at === -1) break;
      if (isMail) {
        count++;
        isMail = false;
        said += '250 taken\r\n';
      } else {
        const command = left.toString('latin1', 0, 4).toUpperCase();
        isMail = command === 'DATA';
        said += replies[command] ?? '250 ok\r\n';
      }
      left = left.subarray(at + mark.length);
    }
    // Inside an email, keeps the bytes with which its end may begin.
    rest = Buffer.from(isMail ? left.subarray(Math.max(0, left.length - END.length + 1)) : left);
    if (said !== '') socket.write(said);
  });
  socket.write('220 sink ESMTP\r\n');
}
