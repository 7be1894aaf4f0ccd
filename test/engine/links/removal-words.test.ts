import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channels } from '../../../server/channels/index.ts';
import { readConfig } from '../../../server/kit/config.ts';
import { createRemovalWords } from '../../../server/modules/audience/removal-words.ts';
import { covers } from '../../conformance/covers.ts';

const asks = createRemovalWords(readConfig({}, channels).REMOVAL_WORDS);

test(
  'the default words of the four languages, whatever their case and what is around them',
  covers('texts.removal.reply'),
  () => {
    for (const text of [
      'הסר',
      ' הסרה ',
      'הסר.',
      '\u200fהסר\u200f',
      '"הסר"',
      'הָסֵר',
      'stop',
      'STOP',
      'Stop!',
      'ＳＴＯＰ',
      'stop  all',
      'Remove',
      'unsubscribe\n',
      'احذف',
      'إلغاء',
      'الغاء',
      'إلغـاء',
      'стоп',
      'СТОП',
      'Удалить.',
    ]) {
      assert.ok(asks(text), JSON.stringify(text));
    }
  },
);

test('a word within a message is not enough, nor is half a word', () => {
  for (const text of [
    '',
    '   ',
    '!',
    "don't stop",
    'stop it',
    'stopp',
    'הסרתי',
    'אל תסיר',
    'нестоп',
    'x'.repeat(100_000),
  ]) {
    assert.ok(!asks(text), JSON.stringify(text.slice(0, 20)));
  }
});

test('the setting names other words, and a dash none', covers('texts.removal.reply'), () => {
  const own = createRemovalWords(' Halt , Genug jetzt,,');
  assert.ok(own('halt'));
  assert.ok(own('GENUG JETZT!'));
  assert.ok(!own('stop'));
  assert.ok(!own(''));
  const none = createRemovalWords('-');
  for (const text of ['stop', '-', '']) assert.ok(!none(text));
});
