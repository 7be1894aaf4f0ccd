import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Carillon } from '../../../client/src/index.ts';
import { CommandError, print } from '../with-app-context.ts';
import { type RemoteOptions, readUrl, storeConnection } from './connection.ts';

/** `login`: stores a token that the service accepts, read from the standard input. */
export async function login({ url = 'http://127.0.0.1:8080', json }: RemoteOptions): Promise<void> {
  readUrl(url);
  const token = await readToken();
  if (token === '') throw new CommandError('no token on the standard input');
  const { username } = await new Carillon({ url, token }).account.get();
  const file = storeConnection(url, token);
  print(json, { url, username, file }, `the token of ${username} at ${url} is in ${file}`);
}

/** The first line of the standard input; of a terminal without showing it. */
async function readToken(): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write('Token: ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: stdin.isTTY === true });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
  }
}
