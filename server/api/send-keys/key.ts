import { badField } from '../../kit/errors.ts';

/** Maximum length of a key, in characters. */
export const SEND_KEY_MAX_LENGTH = 255;

/** Names of a key in the header and in the body. */
export const SEND_KEY_HEADER = 'Idempotency-Key';
const SEND_KEY_FIELD = 'send_key';

const printable = /^[\x20-\x7e]+$/;
// A String of Structured Fields (RFC 9651, section 3.3.3): a backslash may precede only quotes and backslashes.
const quoted = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * Reads the key of a request: from the header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07), in
 * quotes as in the draft or bare as most clients send it, or from the field `send_key`. Returns undefined without a
 * key.
 *
 * @throws Refusal `bad-field` that names the header or the field: for a key that is empty, over 255 characters or not
 * printable ASCII, and for two keys that differ
 */
export function readSendKey(
  header: string | string[] | undefined,
  field: string | undefined,
): string | undefined {
  const ofHeader = header === undefined ? undefined : readHeader(header);
  if (field === undefined) return ofHeader;
  const ofField = checked(field, SEND_KEY_FIELD);
  if (ofHeader !== undefined && ofHeader !== ofField) {
    throw badField(SEND_KEY_FIELD, `differs from the header ${SEND_KEY_HEADER}`, 'wrong-format');
  }
  return ofField;
}

function readHeader(header: string | string[]): string {
  const value = [header].flat().join(', ').trim();
  if (!value.startsWith('"')) {
    // Node.js joins a repeated header with commas.
    if (!value.includes(',')) return checked(value, SEND_KEY_HEADER);
    throw badField(SEND_KEY_HEADER, 'has a comma, put it in quotes; one key is taken', 'wrong-format');
  }
  const inner = quoted.exec(value)?.[1];
  if (inner === undefined) {
    throw badField(SEND_KEY_HEADER, 'must be one text in quotes', 'wrong-format');
  }
  return checked(inner.replace(/\\(.)/g, '$1'), SEND_KEY_HEADER);
}

function checked(key: string, name: string): string {
  if (key === '') throw badField(name, 'is empty', 'missing');
  if (key.length > SEND_KEY_MAX_LENGTH) {
    throw badField(name, `is over ${SEND_KEY_MAX_LENGTH} characters`, 'too-long', {
      max: SEND_KEY_MAX_LENGTH,
    });
  }
  if (!printable.test(key)) {
    throw badField(name, 'must be printable ASCII characters', 'wrong-format');
  }
  return key;
}
