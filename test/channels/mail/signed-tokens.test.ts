import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { returnPath, tokenIn } from '../../../server/channels/mail/compose.ts';
import { SignedTokens, TOKEN_LENGTH, tokenFor } from '../../../server/channels/mail/signed-tokens.ts';
import { idFloor } from '../../../server/kit/ids.ts';

const signedTokens = new SignedTokens(randomBytes(32));
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const marked = fc.record(
  { accountId: id, messageId: id, what: fc.integer({ min: 0, max: 255 }) },
  { noNullPrototype: true },
);

test('a signed token returns its values, regardless of case', () => {
  fc.assert(
    fc.property(marked, (said) => {
      const token = signedTokens.write(said);
      assert.match(token, new RegExp(`^[a-z2-7]{${TOKEN_LENGTH}}$`));
      assert.deepEqual(signedTokens.read(token), said);
      assert.deepEqual(signedTokens.read(token.toUpperCase()), said);
      assert.equal(tokenIn(returnPath(token, 'example.com')), token);
    }),
  );
});

test('a signed token that was changed, or comes from another installation, is invalid', () => {
  const other = new SignedTokens(randomBytes(32));
  fc.assert(
    fc.property(
      marked,
      fc.nat(TOKEN_LENGTH - 1),
      fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz234567'),
      (said, at, letter) => {
        const token = signedTokens.write(said);
        assert.equal(other.read(token), undefined);
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        assert.equal(signedTokens.read(changed) === undefined, changed !== token);
      },
    ),
  );
  for (const text of ['', 'x', 'a'.repeat(TOKEN_LENGTH), 'é'.repeat(TOKEN_LENGTH)])
    assert.equal(signedTokens.read(text), undefined);
});

test('A signed token of an earlier version is read for mails from before the update alone', () => {
  const key = randomBytes(32);
  const updatedAt = Date.UTC(2026, 5, 1);
  const updated = new SignedTokens(key, { earlierUntil: updatedAt });
  const [before, since] = [idFloor(updatedAt - 1), idFloor(updatedAt)];
  /** As version 0.1 wrote it: 8 octets of the signature. */
  const earlier = (messageId: number) => {
    const octets = Buffer.alloc(15);
    octets.writeUInt32BE(7, 3);
    octets.writeUIntBE(Math.floor(messageId / 2 ** 32), 7, 3);
    octets.writeUInt32BE(messageId % 2 ** 32, 10);
    octets[14] = tokenFor.mail;
    const signature = createHmac('sha256', key).update(octets).digest().subarray(0, 8);
    const bits = [...octets, ...signature].map((octet) => octet.toString(2).padStart(8, '0')).join('');
    const letters = 'abcdefghijklmnopqrstuvwxyz234567';
    return bits.replace(/.{1,5}/g, (five) => letters[Number.parseInt(five.padEnd(5, '0'), 2)]!);
  };
  const said = { accountId: 7, messageId: before, what: tokenFor.mail };
  assert.deepEqual(updated.read(earlier(before)), said);
  assert.equal(updated.read(earlier(since)), undefined);
  assert.equal(new SignedTokens(key).read(earlier(before)), undefined);
  assert.deepEqual(updated.read(updated.write(said)), said);
});

test('A signed token has 128 bits of signature', () => {
  assert.equal(TOKEN_LENGTH, Math.ceil((15 * 8 + 128) / 5));
});

test('The part of a return path before the @ is no longer than SMTP allows', () => {
  const token = signedTokens.write({
    accountId: Number.MAX_SAFE_INTEGER,
    messageId: Number.MAX_SAFE_INTEGER,
    what: 255,
  });
  assert.ok(returnPath(token, 'x').indexOf('@') <= 64);
});
