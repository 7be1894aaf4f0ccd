import { isSource } from '../../accounts/account-rules.ts';
import type { Sources } from '../../audience/sources.ts';
import { Refusal } from '../../errors.ts';
import { readMailAddress } from './addresses.ts';

/**
 * A sender of mails as it is approved: an address, or `@` and a domain, in the form in which addresses are compared.
 * Undefined for a text that is neither.
 */
function readMailSender(text: string): string | undefined {
  if (!text.startsWith('@')) return readMailAddress(text)?.key;
  return readMailAddress(`x${text}`)?.key.slice(1);
}

/** What `readSender` takes, after the word for it. */
export const SENDER_RULE =
  'has 1 to 15 digits or English letters, or 1 to 11 with blanks, _, - and . among them, or is an e-mail address or @ and a domain';

/** A sender that the operator approves: a number or a name as it is, or a sender of mails as `readMailSender` has it. */
export function readSender(text: string): string | undefined {
  if (text.includes('@')) return readMailSender(text);
  return isSource(text) ? text : undefined;
}

/** Who may send mails under which address: one that was approved for the account, or any of a domain that was. */
export class MailSenders {
  readonly #sources: Pick<Sources, 'isApproved'>;
  readonly #isChecked: boolean;

  /** `isChecked` false: any address may be anyone's (VERIFY_SOURCES). */
  constructor(sources: Pick<Sources, 'isApproved'>, isChecked: boolean) {
    this.#sources = sources;
    this.#isChecked = isChecked;
  }

  /** Throws Refusal `source-not-verified` when the account may not send from this address. */
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
