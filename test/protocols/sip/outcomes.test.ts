import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { heardOf, type OwnFailure, treatmentOf } from '../../../server/protocols/sip/outcomes.ts';
import { readTrunkUri, sipTrunkSettings } from '../../../server/protocols/sip/settings.ts';

const guide = readFileSync(new URL('../../../docs/voice-trunks.md', import.meta.url), 'utf8');

/** What stands in the guide for failures that are no SIP status. */
const words: Readonly<Record<string, OwnFailure>> = {
  'rang for `ringSeconds`': 'no-answer',
  '401, 407, not satisfied': 'credentials',
  'no answer to INVITE': 'no-response',
  'the connection broke': 'transport',
  'answered without audio for us': 'no-media',
  'no free media port': 'media-ports',
  'the service stopped': 'stopped',
};

test('the guide’s table of outcomes is that of the code', () => {
  const rows = [...guide.matchAll(/^\| ([^|]+) \| `([A-Z_]+)` \| (\d+) \| (?:([\d]+) s )?\|$/gm)];
  assert.equal(rows.length, 17);
  const seen = new Set<string>();
  for (const [, failures, code, status, pause] of rows) {
    const own = words[failures!];
    for (const failure of own ? [own] : failures!.split(', ').map(Number)) {
      const treatment = treatmentOf(failure);
      assert.equal(treatment.code, own ? code : `${code}/${failure}`);
      assert.equal(treatment.status, Number(status), `${failure}`);
      assert.equal(treatment.retryMs, pause === undefined ? undefined : Number(pause) * 1_000, `${failure}`);
      seen.add(String(failure));
    }
  }
  for (const failure of Object.values(words)) assert.ok(seen.has(failure), failure);
});

test('every final answer has a treatment, by its class at least', () => {
  for (let answer = 300; answer < 700; answer++) {
    const { code, status, retryMs } = treatmentOf(answer);
    assert.match(code, new RegExp(`^[A-Z_]+/${answer}$`));
    assert.ok([2, 6, 101, 108].includes(status), `${answer}`);
    if (answer >= 600 && answer !== 600) assert.equal(retryMs, undefined, `${answer}`);
  }
});

test('an answered call is delivered when the message was heard to its end', () => {
  assert.deepEqual(heardOf({ rounds: 1, heardSeconds: 12.98 }), { status: 102, code: 'HEARD/12' });
  assert.deepEqual(heardOf({ rounds: 0, heardSeconds: 3.2 }), { status: 101, code: 'ENDED_EARLY/3' });
});

test('the guide names every option of a trunk', () => {
  for (const option of Object.keys(sipTrunkSettings.shape))
    assert.ok(guide.includes(`\`${option}\``), option);
});

test('URIs of trunks', () => {
  assert.deepEqual(readTrunkUri('sip:trunk.example.com'), {
    host: 'trunk.example.com',
    port: 5060,
    transport: 'udp',
  });
  assert.deepEqual(readTrunkUri('sip:192.0.2.1:5070;transport=TCP'), {
    host: '192.0.2.1',
    port: 5070,
    transport: 'tcp',
  });
  assert.deepEqual(readTrunkUri('sips:[2001:db8::1]'), { host: '2001:db8::1', port: 5061, transport: 'tls' });
  assert.equal(readTrunkUri('sip:a;transport=sctp'), undefined);
  assert.equal(readTrunkUri('tel:+972'), undefined);
});

test('settings that cannot be used are refused', () => {
  const good = { name: 'a', uri: 'sip:trunk.example.com', callerId: '97237000000' };
  assert.equal(sipTrunkSettings.parse(good).callsAtOnce, 10);
  for (const wrong of [
    { uri: 'trunk.example.com' },
    { callerId: '"x" <sip:y>' },
    { callerId: 'a\r\nVia: b' },
    { register: true },
    { mediaPorts: { from: 20_000, to: 20_001 } },
    { prefixes: ['+972'] },
    { peers: ['example.com'] },
    { callsAtOnce: 0 },
    { surplus: 1 },
  ]) {
    assert.equal(sipTrunkSettings.safeParse({ ...good, ...wrong }).success, false, JSON.stringify(wrong));
  }
});
