import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownStatuses } from '../../../server/kit/statuses.ts';
import { errorCode, errorName, meaningOf, smppErrors } from '../../../server/protocols/smpp/errors.ts';
import { messageClassOf } from '../../../server/protocols/smpp/incoming.ts';
import {
  defaultPartSettings,
  partsOf,
  sourceAddress,
  validityPeriod,
} from '../../../server/protocols/smpp/outgoing.ts';
import { smppConnectorSettings } from '../../../server/protocols/smpp/settings.ts';

const gsm = defaultPartSettings;
const latin1 = { ...gsm, defaultAlphabet: 'latin1', defaultDataCoding: 3 } as const;

test('sources have the type of what they look like, unless the settings say otherwise', () => {
  assert.deepEqual(sourceAddress('Carillon', {}), { ton: 5, npi: 0 });
  assert.deepEqual(sourceAddress('972501234567', {}), { ton: 1, npi: 1 });
  assert.deepEqual(sourceAddress('12345', {}), { ton: 3, npi: 0 });
  // A national number, with its trunk prefix or without, is not an international one.
  for (const national of ['0501112222', '031112222', '0771234567', '1700123456', '501112222'])
    assert.deepEqual(sourceAddress(national, {}), { ton: 2, npi: 1 }, national);
  for (const international of ['+972501234567', '447911123456', '12025550123'])
    assert.deepEqual(sourceAddress(international, {}), { ton: 1, npi: 1 }, international);
  assert.deepEqual(sourceAddress('00972501234567', {}), { ton: 0, npi: 1 });
  assert.deepEqual(sourceAddress('*6090', {}), { ton: 5, npi: 0 });
  assert.deepEqual(sourceAddress('Carillon', { sourceTon: 0, sourceNpi: 9 }), { ton: 0, npi: 9 });
});

test('validity in its two forms', () => {
  const now = Date.UTC(2026, 0, 31, 23, 59, 59);
  assert.equal(validityPeriod(3_723_999, now, 'relative'), '000000010203000R');
  assert.equal(validityPeriod(2 * 86_400_000, now, 'relative'), '000002000000000R');
  assert.equal(validityPeriod(400 * 86_400_000, now, 'relative'), '000030000000000R');
  assert.equal(validityPeriod(5, now, 'relative'), '000000000001000R');
  assert.equal(validityPeriod(1_000, now, 'absolute'), '260201000000000+');
  assert.equal(validityPeriod(1_000, now, 'none'), '');
});

test('parts of one message share a reference, that of another submit too', () => {
  const text = 'x'.repeat(400);
  const first = partsOf({ id: 1, payload: text }, gsm)!;
  assert.deepEqual(
    first.map(({ shortMessage }) => [...shortMessage.subarray(0, 6)]),
    [1, 2, 3].map((sequence) => [5, 0, 3, first[0]!.shortMessage[3], 3, sequence]),
  );
  assert.deepEqual(partsOf({ id: 1, payload: text }, gsm), first);
  const references = new Set<number>();
  for (let id = 0; id < 1_000; id++)
    references.add(partsOf({ id: id * 4096, payload: text }, gsm)![0]!.shortMessage[3]!);
  assert.ok(references.size > 200, `${references.size} references`);
});

test('over 255 parts are refused, but not in one payload', () => {
  const text = 'x'.repeat(255 * 153 + 1);
  assert.equal(partsOf({ id: 1, payload: text }, gsm), null);
  assert.equal(partsOf({ id: 1, payload: text }, { ...gsm, longMessages: 'payload' })?.length, 1);
});

test('an SMSC of Latin-1 gets Latin-1, and UCS-2 for what that has not', () => {
  const [part] = partsOf({ id: 1, payload: 'é@' }, latin1)!;
  assert.deepEqual([part!.dataCoding, ...part!.shortMessage], [3, 0xe9, 0x40]);
  const [euro] = partsOf({ id: 1, payload: '€' }, latin1)!;
  assert.deepEqual([euro!.dataCoding, ...euro!.shortMessage], [8, 0x20, 0xac]);
});

test('the settings give the data_coding of each alphabet', () => {
  const settings = { ...gsm, defaultDataCoding: 1, unicodeDataCoding: 24 };
  const codings = (payload: string) =>
    partsOf({ id: 1, payload }, settings)!.map(({ dataCoding }) => dataCoding);
  assert.deepEqual([codings('Hi'), codings('שלום'), codings('שלום '.repeat(30))], [[1], [24], [24, 24, 24]]);
});

test('a message class is in data_coding, which then names the alphabet, too', () => {
  const codings = (payload: string, settings: typeof gsm | typeof latin1) =>
    ([0, 1, 2, 3] as const).map((messageClass) => {
      const [part] = partsOf({ id: 1, payload, options: { messageClass } }, settings)!;
      assert.equal(messageClassOf(part!.dataCoding), messageClass);
      return part!.dataCoding;
    });
  assert.deepEqual(codings('Hi', gsm), [0xf0, 0xf1, 0xf2, 0xf3]);
  assert.deepEqual(codings('שלום', gsm), [0x18, 0x19, 0x1a, 0x1b]);
  assert.deepEqual(codings('Hi', latin1), [0xf0, 0xf1, 0xf2, 0xf3]);
  const [part] = partsOf({ id: 1, payload: 'é@', options: { messageClass: 0 } }, latin1)!;
  assert.deepEqual([...part!.shortMessage], [5, 0]);
  for (const without of [0, 1, 3, 8, 0x20, 0xc0, 0xe0]) assert.equal(messageClassOf(without), undefined);
});

test('every part has the parameters of its message', () => {
  const options = { parameters: [{ tag: 0x1400, value: '31323334' }] };
  const expected = [{ tag: 0x1400, value: Buffer.from('1234') }];
  const text = 'x'.repeat(200);
  for (const payload of ['Hi', text])
    for (const { tlvs } of partsOf({ id: 1, payload, options }, gsm)!) assert.deepEqual(tlvs, expected);
  const [one] = partsOf({ id: 1, payload: text, options }, { ...gsm, longMessages: 'payload' })!;
  assert.deepEqual(one!.tlvs.slice(1), expected);
});

test('every error code has a unique name and a delivery status that reports know', () => {
  const names = [...smppErrors.values()].map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const [code, { name, meaning }] of smppErrors) {
    assert.equal(errorCode[name], code);
    if (meaning.kind === 'refused') assert.ok(knownStatuses.has(meaning.status));
  }
  assert.deepEqual(meaningOf(errorCode.ESME_RTHROTTLED), { kind: 'throttled' });
  assert.deepEqual(meaningOf(errorCode.ESME_RMSGQFUL), { kind: 'retry' });
  assert.deepEqual(meaningOf(errorCode.ESME_RINVSRCADR), { kind: 'refused', status: 108 });
  assert.deepEqual(meaningOf(0x450), { kind: 'refused', status: 101 });
  assert.equal(errorName(0x450), '0x00000450');
});

test('settings have defaults, and refuse what cannot be', () => {
  const least = { name: 'main', host: 'smsc.example', systemId: 'me' };
  const settings = smppConnectorSettings.parse(least);
  assert.deepEqual(
    [settings.port, settings.window, settings.bindMode, settings.binds, settings.tls, settings.validity],
    [2775, 500, 'transceiver', 1, false, 'relative'],
  );
  for (const wrong of [
    { name: 'Main Link' },
    { host: '' },
    { port: 0 },
    { systemId: 'שם' },
    { window: 0 },
    { bindMode: 'both' },
    { messagesPerSecond: -1 },
    { errorMeanings: { x: 'retry' } },
    { reconnectMinMs: 100, reconnectMaxMs: 10 },
    { unknown: 1 },
  ])
    assert.equal(
      smppConnectorSettings.safeParse({ ...least, ...wrong }).success,
      false,
      JSON.stringify(wrong),
    );
});
