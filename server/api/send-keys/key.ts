import { Refusal } from '../../kit/errors.ts';

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
    throw new Refusal('bad-field', `differs from the header ${SEND_KEY_HEADER}`, SEND_KEY_FIELD, {
      reason: 'wrong-format',
    });
  }
  return ofField;
}

function readHeader(header: string | string[]): string {
  const value = [header].flat().join(', ').trim();
  if (!value.startsWith('"')) {
    // Node.js joins a repeated header with commas.
    if (!value.includes(',')) return checked(value, SEND_KEY_HEADER);
    throw new Refusal('bad-field', 'has a comma, put it in quotes; one key is taken', SEND_KEY_HEADER, {
      reason: 'wrong-format',
    });
  }
  const inner = quoted.exec(value)?.[1];
  if (inner === undefined) {
    throw new Refusal('bad-field', 'must be one text in quotes', SEND_KEY_HEADER, { reason: 'wrong-format' });
  }
  return checked(inner.replace(/\\(.)/g, '$1'), SEND_KEY_HEADER);
}

function checked(key: string, name: string): string {
  if (key === '') throw new Refusal('bad-field', 'is empty', name, { reason: 'missing' });
  if (key.length > SEND_KEY_MAX_LENGTH) {
    throw new Refusal('bad-field', `is over ${SEND_KEY_MAX_LENGTH} characters`, name, {
      reason: 'too-long',
      params: { max: SEND_KEY_MAX_LENGTH },
    });
  }
  if (!printable.test(key)) {
    throw new Refusal('bad-field', 'must be printable ASCII characters', name, { reason: 'wrong-format' });
  }
  return key;
}
