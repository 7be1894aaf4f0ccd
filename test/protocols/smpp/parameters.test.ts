import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { OutgoingMessage } from '../../../server/engine/carriers/carrier.ts';
import { compileParameters } from '../../../server/protocols/smpp/parameters.ts';
import { type SmppConnectorInput, smppConnectorSettings } from '../../../server/protocols/smpp/settings.ts';
import type { SandboxSubmit } from '../../../server/sandbox/smsc/options.ts';
import { waitFor } from '../../support/wait-for.ts';
import { ConnectorUnderTest, credentials, startSmsc } from './support.ts';

type Parameters = NonNullable<SmppConnectorInput['parameters']>;

/* Parameters that a connector adds to each submit_sm, as the sandbox reads them. */

const dlt: Parameters = [
  { tag: '0x1400', value: '{dlt.entity}' },
  { tag: '0x1401', form: 'c-text', value: '{dlt.template}' },
  { tag: '0x1402', form: 'sha256', value: '{dlt.entity},1302157243747322354' },
];
const ids = { entity: '1101123456789012345', template: '1107987654321098765' };
const chain = createHash('sha256').update(`${ids.entity},1302157243747322354`).digest('hex');

const read = (parameters: Parameters) =>
  smppConnectorSettings.safeParse({ name: 'x', host: 'x', ...credentials, parameters });
const written = (parameters: Parameters, message: Partial<OutgoingMessage> = {}) => {
  const whole = {
    accountId: 1,
    id: 7,
    source: 'SHOP',
    destination: '919812345678',
    payload: '',
    validUntil: 0,
  };
  return compileParameters(read(parameters).data!.parameters)({ ...whole, ...message }).map(
    ({ tag, value }) => [tag, Buffer.from(value).toString('latin1')],
  );
};

test('each form of a value', () => {
  assert.deepEqual(
    written([
      { tag: '0x1400', form: 'text', value: 'abc' },
      { tag: '0x1401', form: 'c-text', value: 'abc' },
      { tag: '0x1402', form: 'hex', value: '00ffA0' },
      { tag: '0x3FFF', form: 'integer', value: '255', octets: 1 },
      { tag: '0x0204', form: 'integer', value: '256', octets: 2 },
      { tag: '0xd', form: 'integer', value: '4294967295', octets: 4 },
      { tag: '0x1403', value: 'a brace { and {from} {to.digits} {id}' },
    ]),
    [
      [0x1400, 'abc'],
      [0x1401, 'abc\0'],
      [0x1402, '\x00\xff\xa0'],
      [0x3fff, '\xff'],
      [0x0204, '\x01\x00'],
      [0x0d, '\xff\xff\xff\xff'],
      [0x1403, 'a brace { and SHOP 919812345678 7'],
    ],
  );
});

test('DLT ids are those of the message, or those of its sender', () => {
  const withIds = (options: OutgoingMessage['options']) => written(dlt, { options });
  const expected = [
    [0x1400, ids.entity],
    [0x1401, `${ids.template}\0`],
    [0x1402, chain],
  ];
  assert.deepEqual(withIds({ dlt: ids }), expected);
  assert.deepEqual(withIds({ dlt: { senders: { SHOP: ids, OTHER: { entity: '1' } } } }), expected);
  assert.deepEqual(
    withIds({ dlt: { template: ids.template, senders: { SHOP: { entity: ids.entity, template: '2' } } } }),
    expected,
  );
});

test('a parameter with a placeholder that has no value is left out', () => {
  assert.deepEqual(written(dlt), []);
  assert.deepEqual(written(dlt, { options: { dlt: { template: '5' } } }), [[0x1401, '5\0']]);
  assert.deepEqual(written(dlt, { source: 'constructor', options: { dlt: { senders: {} } } }), []);
});

test('settings that cannot be are refused, with their place', () => {
  const problemOf = (...parameters: unknown[]) => {
    const [issue] = read(parameters as Parameters).error!.issues;
    return [issue!.path.join('.'), issue!.message];
  };
  for (const [parameter, field, problem] of [
    [{ tag: '1400', value: 'x' }, 'tag', /hexadecimal/],
    [{ tag: '0x14000', value: 'x' }, 'tag', /hexadecimal/],
    [{ tag: '0x0424', value: 'x' }, 'tag', /connector itself/],
    [{ tag: '0x1400', value: '' }, 'value', /./],
    [{ tag: '0x1400', value: 'é' }, 'value', /ASCII/],
    [{ tag: '0x1400', value: '{dlt.chain}' }, 'value', /unknown placeholder; use \{dlt.entity\}/],
    [{ tag: '0x1400', form: 'hex', value: 'abc' }, 'value', /two for each octet/],
    [{ tag: '0x1400', form: 'integer', value: '256', octets: 1 }, 'value', /0 to 255/],
    [{ tag: '0x1400', form: 'integer', value: '{id}', octets: 4 }, 'value', /whole number/],
    [{ tag: '0x1400', form: 'integer', value: '1' }, 'octets', /missing/],
    [{ tag: '0x1400', form: 'text', value: '1', octets: 2 }, 'octets', /only for/],
  ] as const) {
    const [path, message] = problemOf(parameter);
    assert.equal(path, `parameters.0.${field}`, JSON.stringify(parameter));
    assert.match(message!, problem);
  }
  const one = { tag: '0x1400', value: 'x' };
  assert.deepEqual(problemOf(one, { tag: '0X1400', value: 'y' }), ['parameters.1.tag', 'is given twice']);
  assert.equal(
    read(Array.from({ length: 21 }, (_, at) => ({ ...one, tag: `0x14${10 + at}` }))).success,
    false,
  );
});

test('each part has them, and those of the message stay', async (t) => {
  const seen: SandboxSubmit[] = [];
  const { smsc, port } = await startSmsc(t, { onSubmit: (submit) => seen.push(submit) });
  const connector = await new ConnectorUnderTest(t, port, { parameters: dlt }).up();
  await connector.outcome(connector.submit({ payload: 'long '.repeat(60), options: { dlt: ids } }));
  const own = { parameters: [{ tag: 0x1400, value: Buffer.from('of the client').toString('hex') }] };
  await connector.outcome(connector.submit({ options: { ...own, dlt: ids } }));
  const shown = seen.map(({ tlvs }) =>
    tlvs.map(({ tag, value }) => [tag, Buffer.from(value).toString('latin1')]),
  );
  const ofConnector = [
    [0x1400, ids.entity],
    [0x1401, `${ids.template}\0`],
    [0x1402, chain],
  ];
  assert.deepEqual(shown, [ofConnector, ofConnector, [[0x1400, 'of the client'], ...ofConnector.slice(1)]]);
  // The phone shows what each message had.
  const received = await waitFor('both messages', () => {
    const all = smsc.phones.list('972501234567');
    return all.length === 2 && all;
  });
  for (const { parameters } of received)
    assert.deepEqual(
      parameters?.slice(1),
      ofConnector.slice(1).map(([tag, value]) => ({
        tag: `0x${tag!.toString(16)}`,
        value: Buffer.from(String(value)).toString('hex'),
      })),
    );
});
