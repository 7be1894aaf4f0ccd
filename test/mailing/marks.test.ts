import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { markIn, returnPath } from '../../server/mailing/compose.ts';
import { MARK_LENGTH, Marks } from '../../server/mailing/marks.ts';

const marks = new Marks(randomBytes(32));
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const marked = fc.record(
  { accountId: id, messageId: id, what: fc.integer({ min: 0, max: 255 }) },
  { noNullPrototype: true },
);

test('A mark says what it was made of, in either case of letters', () => {
  fc.assert(
    fc.property(marked, (said) => {
      const mark = marks.write(said);
      assert.match(mark, new RegExp(`^[a-z2-7]{${MARK_LENGTH}}$`));
      assert.deepEqual(marks.read(mark), said);
      assert.deepEqual(marks.read(mark.toUpperCase()), said);
      assert.equal(markIn(returnPath(mark, 'example.com')), mark);
    }),
  );
});

test('A mark that was changed, or is of another installation, is none', () => {
  const other = new Marks(randomBytes(32));
  fc.assert(
    fc.property(
      marked,
      fc.nat(MARK_LENGTH - 1),
      fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz234567'),
      (said, at, letter) => {
        const mark = marks.write(said);
        assert.equal(other.read(mark), undefined);
        const changed = mark.slice(0, at) + letter + mark.slice(at + 1);
        assert.equal(marks.read(changed) === undefined, changed !== mark);
      },
    ),
  );
  for (const text of ['', 'x', 'a'.repeat(MARK_LENGTH), 'é'.repeat(MARK_LENGTH)])
    assert.equal(marks.read(text), undefined);
});

test('The part of a return path before the @ is no longer than SMTP allows', () => {
  const mark = marks.write({
    accountId: Number.MAX_SAFE_INTEGER,
    messageId: Number.MAX_SAFE_INTEGER,
    what: 255,
  });
  assert.ok(returnPath(mark, 'x').indexOf('@') <= 64);
});
