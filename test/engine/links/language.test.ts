import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageFor } from '../../../server/api/public-pages/page.ts';
import { languageOf } from '../../../server/kit/text/language.ts';

test('the language of a message is that of most of its letters, addresses left out', () => {
  const cases = {
    he: [
      'שלום',
      'מבצע! https://example.com/a-very-long-address/that/is/latin',
      'היי [DYNAMIC_FIELD1] [link-first]',
    ],
    en: ['Sale today', '', '12345 !!', 'Sale at שוק today', 'Ünïcode'],
    ar: ['مرحبا', 'عرض www.example.com/aaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ru: ['Привет', 'Скидка Apple'],
  };
  for (const [language, texts] of Object.entries(cases)) {
    for (const text of texts) assert.equal(languageOf(text), language, text);
  }
});

test('the language that a browser likes best', () => {
  assert.equal(languageFor(undefined), 'en');
  assert.equal(languageFor('he-IL,he;q=0.9,en;q=0.8'), 'he');
  assert.equal(languageFor('iw'), 'he');
  assert.equal(languageFor('fr-FR,ru;q=0.3,ar;q=0.7'), 'ar');
  assert.equal(languageFor('fr, de;q=0.5'), 'en');
  assert.equal(languageFor('en;q=0, ru;q=0'), 'en');
  assert.equal(languageFor(';;,,q=1'), 'en');
});
