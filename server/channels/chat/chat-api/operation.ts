import type { OperationAbout } from '../../../api/openapi/description.ts';
import { SEND_KEY_MAX_LENGTH } from '../../../api/send-keys/key.ts';
import type { SendKeyUse } from '../../../api/send-keys/send-keys.ts';
import type { MediaCheck } from '../../../kit/http/media-check.ts';
import type { Account } from '../../../modules/accounts/accounts.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { ChatNumbers } from '../business-numbers.ts';
import type { Campaigns } from '../campaigns.ts';
import { readClient } from '../clients.ts';
import { findQuoted } from '../quotes.ts';
import type { ChatSender } from '../sender.ts';
import type { Templates } from '../templates.ts';
import { type Content, FieldProblem, looseText, optionalText, text } from './fields.ts';

/** Dependencies of the operations. */
export interface ChatServices extends Pick<CoreContext, 'sql' | 'clock' | 'accounts' | 'numbers'> {
  readonly chatNumbers: ChatNumbers;
  readonly templates: Templates;
  readonly sender: ChatSender;
  readonly campaigns: Campaigns;
  readonly media: MediaCheck;
}

/** One call of an operation, signed in. */
export interface Call {
  readonly services: ChatServices;
  /** The account of the token. */
  readonly account: Account;
  /** The send key of the call, for its transaction. */
  readonly sendKey?: SendKeyUse | undefined;
}

/** A `POST` of the chat API: its paths, its implementation, and its form of refusals. */
export interface ChatOperation {
  /** Segments after the prefix; the first is the documented one. */
  readonly paths: readonly string[];
  readonly about: OperationAbout;
  /** Returns the documented fields. Throws Refusal or FieldProblem. */
  run(content: Content, call: Call): Promise<object>;
  /**
   * Returns the response to a refused request. `content` is empty if it could not be read; `now` is in milliseconds
   * since the epoch.
   */
  refuse(error: unknown, message: string, content: Content, now: number): object;
}

/** Common fields of all operations. */
export const source = text.describe('Business number of the account or of one of its subscribers.');
export const destination = text.describe('Recipient.');
export const replyTo = optionalText.describe("Id of the client's message to quote.");

/**
 * Returns the account that a request acts for: the token's own account, or its subscriber that owns `source`. For any
 * other number it is the token's account, which then does not own the number.
 */
export async function accountFor(source: string, { services, account }: Call): Promise<number> {
  const digits = services.numbers.parse(source)?.digits;
  const number = digits === undefined ? undefined : await services.chatNumbers.find(digits);
  if (!number || number.accountId === account.id) return account.id;
  const owner = await services.accounts.byId(number.accountId);
  return owner?.parentId === account.id ? owner.id : account.id;
}

/** In every sending operation. */
export const sendKey = optionalText.meta({
  description:
    'Your own key for this request, as the header `Idempotency-Key`. A repeated request with the same key within 24 hours returns the first response and is not executed again.',
  maxLength: SEND_KEY_MAX_LENGTH,
});

/** Returns the field `send_key` of a request; undefined if it is absent. Throws FieldProblem. */
export function readSendKeyField(content: Content): string | undefined {
  const { send_key: given } = content;
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'string' && typeof given !== 'number') {
    throw new FieldProblem('send_key', 'send_key: must be a text');
  }
  return String(given).trim();
}

/** Returns the sender and recipient as the caller wrote them; '' for values that are not texts. */
export async function readAddresses(content: Content, call: Call) {
  const source = looseText(content.source);
  return { accountId: await accountFor(source, call), source, destination: looseText(content.destination) };
}

/**
 * Returns the platform's id of the message in `replyTo`. Source and destination must be checked before. Throws Refusal
 * `bad-reply`.
 */
export async function readQuoted(
  content: Content,
  call: Call,
  accountId: number,
): Promise<string | undefined> {
  const id = looseText(content.replyTo);
  if (id === '') return undefined;
  const { sql, numbers } = call.services;
  const phone = numbers.parse(looseText(content.source))!.digits;
  const client = (await readClient(sql, numbers, accountId, looseText(content.destination)))!;
  return findQuoted(sql, { accountId, phone }, client, id);
}
