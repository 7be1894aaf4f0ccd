import type { Account } from '../../../accounts/accounts.ts';
import type { MediaCheck } from '../../../http/media-check.ts';
import type { OperationAbout } from '../../../interfaces/openapi/description.ts';
import { SEND_KEY_MAX_LENGTH } from '../../../send-keys/key.ts';
import type { SendKeyUse } from '../../../send-keys/send-keys.ts';
import type { CoreContext } from '../../../services.ts';
import type { Campaigns } from '../campaigns.ts';
import { readClient } from '../clients.ts';
import type { ChatNumbers } from '../numbers.ts';
import { findQuoted } from '../quotes.ts';
import type { ChatSender } from '../sender.ts';
import type { Templates } from '../templates.ts';
import { type Content, FieldProblem, looseText, optionalText, text } from './fields.ts';

/** What operations work with. */
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
  /** The key that the call came with, for the transaction that does it. */
  readonly sendKey?: SendKeyUse | undefined;
}

/** A `POST` of the chat API: where it answers, what it does, and how it answers when it is refused. */
export interface ChatOperation {
  /** Segments behind the prefix; the first is the one that is described. */
  readonly paths: readonly string[];
  readonly about: OperationAbout;
  /** Answers with the documented fields. Throws Refusal, FieldProblem or Refusal. */
  run(content: Content, call: Call): Promise<object>;
  /**
   * The answer to what is refused. `content` is empty when it could not be read; `now` is in milliseconds since the
   * epoch.
   */
  refuse(error: unknown, message: string, content: Content, now: number): object;
}

/** Fields that every operation has. */
export const source = text.describe('Business number of the account or of one of its subscribers.');
export const destination = text.describe('Recipient.');
export const replyTo = optionalText.describe("Id of the client's message to quote.");

/**
 * The account that a request acts for: the token's own, or its subscriber that `source` belongs to. For any other
 * number it is the token's own, whose number it is not then.
 */
export async function accountFor(source: string, { services, account }: Call): Promise<number> {
  const digits = services.numbers.parse(source)?.digits;
  const number = digits === undefined ? undefined : await services.chatNumbers.find(digits);
  if (!number || number.accountId === account.id) return account.id;
  const owner = await services.accounts.byId(number.accountId);
  return owner?.parentId === account.id ? owner.id : account.id;
}

/** In every operation that sends. */
export const sendKey = optionalText.meta({
  description:
    'Your own key for this request, as the header `Idempotency-Key`. A repeated request with the same key within 24 hours returns the first response and is not executed again.',
  maxLength: SEND_KEY_MAX_LENGTH,
});

/** The field `send_key` of a request; undefined when it is absent. Throws FieldProblem. */
export function readSendKeyField(content: Content): string | undefined {
  const { send_key: given } = content;
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'string' && typeof given !== 'number') {
    throw new FieldProblem('send_key', 'send_key: must be a text');
  }
  return String(given).trim();
}

/** Who writes to whom, as it was given: '' for what is no text. */
export async function readAddresses(content: Content, call: Call) {
  const source = looseText(content.source);
  return { accountId: await accountFor(source, call), source, destination: looseText(content.destination) };
}

/**
 * The platform's id of the message that `replyTo` names. Source and destination have been found right before. Throws
 * Refusal `bad-reply`.
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
