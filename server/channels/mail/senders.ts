import { Refusal } from '../../kit/errors.ts';
import { isSource } from '../../modules/accounts/account-rules.ts';
import type { Sources } from '../../modules/audience/sources.ts';
import { readMailAddress } from './addresses.ts';

/**
 * Parses a sender of emails: an address, or `@` and a domain, in normalised form. Returns undefined for other texts.
 */
function readMailSender(text: string): string | undefined {
  if (!text.startsWith('@')) return readMailAddress(text)?.key;
  return readMailAddress(`x${text}`)?.key.slice(1);
}

/** Requirements of `readSender`, to follow the name of the field. */
export const SENDER_RULE =
  'has 1 to 15 digits or English letters, or 1 to 11 with blanks, _, - and . among them, or is an e-mail address or @ and a domain';

/**
 * Parses a sender that the operator approves: a number or a name unchanged, or a sender of emails as `readMailSender`
 * returns it.
 */
export function readSender(text: string): string | undefined {
  if (text.includes('@')) return readMailSender(text);
  return isSource(text) ? text : undefined;
}

/** Approved senders of emails: an address approved for the account, or any address of an approved domain. */
export class MailSenders {
  readonly #sources: Pick<Sources, 'isApproved'>;
  readonly #isChecked: boolean;

  /** `isChecked` false: accounts may use any address (VERIFY_SOURCES). */
  constructor(sources: Pick<Sources, 'isApproved'>, isChecked: boolean) {
    this.#sources = sources;
    this.#isChecked = isChecked;
  }

  /** Throws Refusal `source-not-verified` if the account may not send from this address. */
  async check(accountId: number, address: string): Promise<void> {
    if (!this.#isChecked) return;
    const { key } = readMailAddress(address)!;
    const domain = key.slice(key.lastIndexOf('@'));
    const approved = await Promise.all([key, domain].map((one) => this.#sources.isApproved(accountId, one)));
    if (!approved.includes(true)) {
      throw new Refusal('source-not-verified', 'the account may not send from this address', 'from.address');
    }
  }
}
