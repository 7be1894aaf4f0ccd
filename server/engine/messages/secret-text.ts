import { inspect } from 'node:util';
import type { Queryable } from '../../database/connection.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';

/** Shown to readers instead of a secret. */
export const MASK = '••••••';

/**
 * A text with a secret for its recipient alone: a code, or a link that proves something. It is masked when printed,
 * logged or serialized; `reveal` returns the real text, for encryption before dispatch.
 */
export class SecretText {
  /** The text with a mask instead of the secret, for every reader. */
  readonly shown: string;
  readonly #real: string;

  private constructor(shown: string, real: string) {
    this.shown = shown;
    this.#real = real;
  }

  /** Creates a text from a secret. `write` is called twice, with the secret and with the mask. */
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

/** Returns the readable text. */
export const shownOf = (text: string | SecretText): string =>
  text instanceof SecretText ? text.shown : text;

/** Returns the text that is sent, for counting its parts. */
export const sentOf = (text: string | SecretText): string =>
  text instanceof SecretText ? text.reveal() : text;

/** Purpose of the column's encryption; the row is `<account>/<message>`. */
const PURPOSE = 'messages.secret_text';

/** Encrypts and decrypts the column `messages.secret_text`. */
export class SecretTexts {
  readonly #box: SecretBox;

  constructor(box: SecretBox) {
    this.#box = box;
  }

  /** Clears the column of a waiting message whose text can no longer be decrypted. The message fails when it is due. */
  static async discard(tx: Queryable, accountId: number, messageId: number): Promise<void> {
    await tx`
      UPDATE messages SET secret_text = ''::bytea
      WHERE account_id = ${accountId} AND id = ${messageId} AND secret_text IS NOT NULL`;
  }

  /** Returns the value of the column for a message. */
  seal(accountId: number, messageId: number, text: SecretText): Buffer {
    return this.#box.seal(text.reveal(), PURPOSE, `${accountId}/${messageId}`);
  }

  /** Decrypts the value of the column for a message. Throws SealedValueError. */
  open(accountId: number, messageId: number, sealed: Uint8Array): string {
    return this.#box.openText(sealed, PURPOSE, `${accountId}/${messageId}`);
  }
}
