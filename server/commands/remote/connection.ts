import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Carillon } from '../../../client/src/index.ts';
import { CommandError } from '../with-app-context.ts';

/*
 * How commands that call a service over HTTP reach it: CARILLON_URL and CARILLON_TOKEN, or what `carillon login` stored. A token
 * is no option: other people of the machine see the arguments of a process.
 */

/** Options of every such command. */
export interface RemoteOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** What `carillon login` stores. */
interface Stored {
  readonly url?: string;
  readonly token?: string;
  /** Signs what `carillon listen` forwards. */
  readonly webhookSecret?: string;
}

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** The configuration file: `carillon/config.json` in XDG_CONFIG_HOME, or in `.config` of the home folder. */
export const configFile = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'carillon', 'config.json');

/** The service that a command calls. Throws as `addressAndToken` does. */
export const connect = (options: RemoteOptions): Carillon => new Carillon(addressAndToken(options));

/** The address of a service and the token for it. Throws CommandError without a token, and for a file that others can read. */
export function addressAndToken({ url }: RemoteOptions): { readonly url: string; readonly token: string } {
  const stored = readStored();
  const token = process.env.CARILLON_TOKEN || stored.token;
  if (!token) throw new CommandError('no token: set CARILLON_TOKEN, or run "carillon login"');
  const address = readUrl(url ?? (process.env.CARILLON_URL || (stored.url ?? DEFAULT_URL)));
  const known = process.env.CARILLON_TOKEN ? undefined : (stored.url ?? DEFAULT_URL);
  if (known !== undefined && new URL(address).origin !== new URL(known).origin) {
    throw new CommandError(`the stored token is for ${known}: set CARILLON_TOKEN for ${address}`);
  }
  return { url: address, token };
}

/** Stores the address of a service and its token. Returns where. */
export function storeConnection(url: string, token: string): string {
  return store({ ...readStored(), url, token });
}

/** The secret that signs what is forwarded: CARILLON_WEBHOOK_SECRET, or one that is made once and stored. */
export function webhookSecret(): string {
  const stored = readStored();
  const known = process.env.CARILLON_WEBHOOK_SECRET || stored.webhookSecret;
  if (known) return known;
  const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`;
  store({ ...stored, webhookSecret });
  return webhookSecret;
}

/** The URL of an option or argument. Throws CommandError. */
export function readUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new CommandError(`"${text}" is no URL of http or https`);
  }
  return text;
}

function readStored(): Stored {
  const file = configFile();
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return {};
  // Windows has no such modes.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new CommandError(`others can read ${file}: run chmod 600 on it, and revoke its token`);
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Stored;
  } catch {
    throw new CommandError(`${file} is not JSON: remove it, and run "carillon login"`);
  }
}

function store(config: Stored): string {
  const file = configFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  // One that was there keeps its mode otherwise.
  chmodSync(file, 0o600);
  return file;
}
