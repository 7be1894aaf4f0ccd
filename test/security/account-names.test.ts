import assert from 'node:assert/strict';
import { test } from 'node:test';
import { harmlessName, nameProblem } from '../../server/kit/text/harmless-name.ts';
import { newPhone } from '../support/phones.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * Somebody names an account so that the service's own SMS and pages say what they want: a link to press, a number to call,
 * a text that runs backwards.
 */

const hostile = [
  'Bank http://evil.example/login',
  'Bank evil.example/login',
  'בנק evil.co.il',
  'bank。example',
  'Bank 192.0.2.7/win',
  'xn--bnk.xn--p1ai',
  'Bank \u202eelpmaxe.live',
  'Bank\u200b\u2066evil',
  'Bank\r\nopen',
  'Call 050-123-4567 now',
  'Call +972 (50) 123 4567',
];
const harmless = [
  'Shop & <Sons>',
  'J.R. Smith',
  'Studio 54',
  'A/B Ltd.',
  'החנות של דנה',
  'Dana: flowers',
  'No. 1, Haifa',
];

test('each such name is refused, and rendered harmless where it is there already', () => {
  for (const name of hostile) {
    assert.notEqual(nameProblem(name), undefined, name);
    const shown = harmlessName(name);
    assert.equal(nameProblem(shown), undefined, `${name}: ${shown}`);
    assert.ok(shown.length > 0);
  }
  for (const name of harmless) {
    assert.equal(nameProblem(name), undefined, name);
    assert.equal(harmlessName(name), name);
  }
  assert.equal(harmlessName('\u202e\u0000'), '?');
  assert.equal([...harmlessName('x'.repeat(5_000))].length, 50);
});

test('an account that has such a name sends a verification and shows a page without it', async () => {
  const service = await startTestService({ settings: { VERIFY_SOURCES: 'on' } });
  const { username, token } = await service.addAccount({
    username: 'hostile',
    name: 'Bank\u202e http://evil.example/login call 0501234567',
  });
  const phone = newPhone();
  const asked = await service.call('json', 'verify_phone', { user: { username }, phone }, { token });
  assert.equal(asked.status, 0, asked.message);
  const [sms] = await waitFor('the SMS', async () => {
    const arrived = await service.phone(phone);
    return arrived.length > 0 && arrived;
  });
  const link = /http:\S+\/v\/[\w-]{22}/.exec(sms!.text)![0];
  const page = await (await fetch(link)).text();
  for (const text of [sms!.text, page]) {
    assert.ok(text.includes('Bank'));
    for (const part of ['evil.example', '0501234567', '\u202e']) assert.ok(!text.includes(part), part);
  }
});
