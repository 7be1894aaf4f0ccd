import { inspect } from 'node:util';
import type { Queryable } from '../database/connection.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

/** What readers see in the place of a secret. */
export const MASK = '••••••';

/**
 * A text that carries a secret for its recipient alone: a code, or a link that proves something. It shows itself masked
 * wherever it is printed, logged or serialised; `reveal` gives the real text to what seals it for dispatch.
 */
export class SecretText {
  /** The text with the mask in the place of the secret: for every reader. */
  readonly shown: string;
  readonly #real: string;

  private constructor(shown: string, real: string) {
    this.shown = shown;
    this.#real = real;
  }

  /** A text that `write` makes of a secret. `write` is called twice, with the secret and with the mask. */
  static of(secret: string, write: (secret: string) => string): SecretText {
    return new SecretText(write(MASK), write(secret));
  }

  reveal(): string {
    return this.#real;
  }

  toString(): string {
    return this.shown;
  }

  toJSON(): string {
    return this.shown;
  }

  [inspect.custom](): string {
    return this.shown;
  }
}

/** The text that may be read. */
export const shownOf = (text: string | SecretText): string =>
  text instanceof SecretText ? text.shown : text;

/** The text that is sent: for counting its parts. */
export const sentOf = (text: string | SecretText): string =>
  text instanceof SecretText ? text.reveal() : text;

/** The purpose under which the column is sealed; the row is `<account>/<message>`. */
const PURPOSE = 'messages.secret_text';

/** Writes and reads the column `messages.secret_text`, which is sealed. */
export class SecretTexts {
  readonly #box: SecretBox;

  constructor(box: SecretBox) {
    this.#box = box;
  }

  /** Empties the column of a message that waits, whose text cannot be opened any more: it fails when it is due. */
  static async discard(tx: Queryable, accountId: number, messageId: number): Promise<void> {
    await tx`
      UPDATE messages SET secret_text = ''::bytea
      WHERE account_id = ${accountId} AND id = ${messageId} AND secret_text IS NOT NULL`;
  }

  /** What stands in the column for a message. */
  seal(accountId: number, messageId: number, text: SecretText): Buffer {
    return this.#box.seal(text.reveal(), PURPOSE, `${accountId}/${messageId}`);
  }

  /** The text of a message, of what stands in the column. Throws SealedValueError. */
  open(accountId: number, messageId: number, sealed: Uint8Array): string {
    return this.#box.openText(sealed, PURPOSE, `${accountId}/${messageId}`);
  }
}
