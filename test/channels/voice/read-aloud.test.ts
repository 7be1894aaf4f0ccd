import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { digitWords } from '../../../server/kit/text/digit-words.ts';
import { readAloud } from '../../../server/kit/text/read-aloud.ts';
import { covers } from '../../conformance/covers.ts';

const said = (text: string) => readAloud(text).text;

test(
  'codes, phone numbers and dates are said digit by digit, with pauses between groups',
  covers('B3.digits'),
  () => {
    const cases: [string, string][] = [
      ['Your code is 482913', 'Your code is four, eight, two; nine, one, three'],
      ['Your code is 4829.', 'Your code is four, eight, two, nine.'],
      ['Call 050-1234567 now', 'Call zero, five, zero; one, two, three; four, five, six, seven, now'],
      ['+972 50 123 4567', 'plus, nine, seven, two; five, zero; one, two, three; four, five, six, seven'],
      ['*2700', 'star, two, seven, zero, zero'],
      ['on 24/03/26 at 9', 'on two, four; zero, three; two, six, at 9'],
      ['on 12/03 at 9', 'on one, two; zero, three, at 9'],
      ['ביום 24/12', 'ביום שתיים, ארבע; אחת, שתיים'],
      ['5/06.', 'five; zero, six.'],
      ['on 2026-03-24', 'on two, zero, two, six; zero, three; two, four'],
      ['order A7K-92B', 'order A, seven, K; nine, two, B'],
      ['gate 07', 'gate zero, seven'],
      ['הקוד שלך הוא 0491', 'הקוד שלך הוא אפס, ארבע, תשע, אחת'],
      ['رمزك ٤٨٢٩', 'رمزك أربعة, ثمانية, اثنان, تسعة'],
      ['Ваш код 4829', 'Ваш код четыре, восемь, два, девять'],
      ['code:1234', 'code: one, two, three, four'],
    ];
    for (const [text, expected] of cases) assert.equal(said(text), expected);
  },
);

test('amounts, times and small numbers stay numbers', () => {
  const cases: [string, string][] = [
    ['Pay ₪1,250.90 or 12.50', 'Pay ₪1250.90 or 12.50'],
    ['3 items, 100 grams, 5 10 15', '3 items, 100 grams, 5 10 15'],
    ['20% off 2500 ₪', '20% off 2500 ₪'],
    ['at 09:05', 'at 9 zero five'],
    ['at 18:30', 'at 18 30'],
    ['bus B12', 'bus B12'],
    ['open 24/7, rated 9/10', 'open 24/7, rated 9/10'],
  ];
  for (const [text, expected] of cases) assert.equal(said(text), expected);
});

test('what only eyes can use is not said', () => {
  assert.equal(said('See https://shop.example/a?b=1 or www.shop.example today'), 'See or today');
  assert.equal(said('Spring is here: [link-1]'), 'Spring is here:');
  assert.equal(said('Well done 🎉👍🏽'), 'Well done');
  assert.equal(said("Hello [[h@'loU]] <b>you</b>"), "Hello h@'loU b you /b");
  assert.equal(said('First line\nSecond line!\n\nThird'), 'First line. Second line! Third');
  for (const nothing of ['', ' ', '[link-1]', '🎉', 'https://a.example', '...', '\n\n'])
    assert.equal(said(nothing), '');
});

test('the language is that of most of its letters', () => {
  assert.equal(readAloud('שלום Dana, הקוד 1234').language, 'he');
  assert.equal(readAloud('Hello דנה').language, 'en');
  assert.equal(readAloud('مرحبا بك').language, 'ar');
  assert.equal(readAloud('Здравствуйте').language, 'ru');
  assert.equal(readAloud('1234').language, 'en');
});

const codes = fc.stringMatching(/^\d{4,12}$/);
const words = fc.constantFrom('הקוד הוא', 'Your code is', 'رمزك هو', 'Ваш код', '');
const after = fc.constantFrom('', '.', ' !', ' תודה', ' thanks', '\nbye', ',', ')', '?');

test('whoever listens can write down every digit of a code, in its order', covers('B3.digits'), () => {
  fc.assert(
    fc.property(words, codes, after, (before, code, behind) => {
      const { text, language } = readAloud(`${before} ${code}${behind}`);
      const digits = digitWords[language];
      const heard = text
        .split(/[\s,.;:!?)]+/)
        .map((word) => digits.indexOf(word))
        .filter((digit) => digit >= 0)
        .join('');
      assert.equal(heard, code);
      assert.doesNotMatch(text, /\d/);
    }),
  );
});

test('phone numbers in any spelling keep their digits', covers('B3.digits'), () => {
  const number = fc.tuple(fc.stringMatching(/^5\d{8}$/), fc.constantFrom('0', '+972', '972-', '+972 '));
  const separated = (digits: string, by: string) => digits.replace(/^(..)(...)(....)$/, `$1${by}$2${by}$3`);
  fc.assert(
    fc.property(number, fc.constantFrom('', '-', ' '), ([local, prefix], by) => {
      const spelling = prefix + separated(local, by);
      const { text } = readAloud(`Call ${spelling}`);
      const heard = text
        .split(/[\s,;]+/)
        .map((word) => digitWords.en.indexOf(word))
        .filter((digit) => digit >= 0)
        .join('');
      assert.equal(heard, spelling.replace(/\D/g, ''));
    }),
  );
});

test('any text is read without a fault, in no time, and without what an engine would take for a command', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1_005 }), (given) => {
      const { text } = readAloud(given);
      assert.doesNotMatch(text, /[[\]<>\p{Cc}\p{Cs}\p{Extended_Pictographic}]/u);
      assert.ok(text.isWellFormed());
      // What was read once has nothing left to spell.
      assert.doesNotMatch(text.replace(/\d[\d,.]*/g, ''), /\d/);
    }),
  );
  for (const hostile of [
    '1-'.repeat(500),
    'A1-'.repeat(330),
    '1,'.repeat(500),
    '1/'.repeat(500),
    '9'.repeat(1_005),
  ]) {
    readAloud(hostile);
  }
});
