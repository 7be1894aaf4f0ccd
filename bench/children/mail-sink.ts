/*
 * A mail relay in a process of its own that takes every mail, counts it and keeps nothing: it shares the cores with what
 * is measured, so it reads commands and looks for the end of mails, and that is all.
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
  /** Listens; the port. */
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
    // Of a mail, what its end may begin with.
    rest = Buffer.from(isMail ? left.subarray(Math.max(0, left.length - END.length + 1)) : left);
    if (said !== '') socket.write(said);
  });
  socket.write('220 sink ESMTP\r\n');
}
