import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskerOf } from '../../../server/protocols/http-carrier/secret-mask.ts';
import { settingsOf, simple } from './support.ts';

/* Secrets in the answers of a provider, in the spellings in which it may return them. */

const KEY = 'a/"key"&of the שרת+';
const plain = simple('https://api.example');
const description = { ...plain, send: { ...plain.send, auth: { basic: ['{secret.user}', '{secret.key}'] } } };
const settings = settingsOf({ description, secrets: { user: 'AC01', key: KEY } });
const mask = maskerOf(settings, 'Bearer t0ken');

for (const [name, text] of Object.entries({
  plain: KEY,
  'in upper case': KEY.toUpperCase(),
  'in JSON': JSON.stringify(KEY).slice(1, -1),
  'in JSON of PHP': JSON.stringify(KEY).slice(1, -1).replaceAll('/', '\\/'),
  'in XML': KEY.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  'in an address': encodeURIComponent(KEY),
  'in a form': new URLSearchParams([['', KEY]]).toString().slice(1),
  'in base64': Buffer.from(KEY).toString('base64').replaceAll('=', ''),
  'in hexadecimal': Buffer.from(KEY).toString('hex'),
  'with the user name': Buffer.from(`AC01:${KEY}`).toString('base64').replaceAll('=', ''),
  'another secret': 'AC01',
  'a token of OAuth': 't0ken',
  'the secret of the path': settings.pathSecret!,
})) {
  test(`a secret is masked: ${name}`, () => {
    assert.equal(mask(`"before ${text}, after"`), '"before ***, after"');
    assert.equal(mask(`${text} ${text}`), '*** ***');
  });
}

test('other texts stay, also those whose lower case is longer', () => {
  const text = 'İstanbul ac0 KEY of the';
  assert.equal(mask(text), text);
  assert.equal(mask(`${text}AC01${text}`), `${text}***${text}`);
  assert.equal(mask(''), '');
});
