import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command } from '../../../server/protocols/smpp/commands.ts';
import { encodePdu } from '../../../server/protocols/smpp/encoder.ts';
import { compileParameters } from '../../../server/protocols/smpp/parameters.ts';
import { smppConnectorSettings } from '../../../server/protocols/smpp/settings.ts';
import { decodeSmpp } from '../../support/tshark.ts';
import { credentials, messagePdu } from './support.ts';

const settings = smppConnectorSettings.parse({
  ...{ name: 'x', host: 'x', ...credentials },
  parameters: [
    { tag: '0x1400', value: '{dlt.entity}' },
    { tag: '0x1401', form: 'c-text', value: '{dlt.template}' },
    { tag: '0x0204', form: 'integer', value: '258', octets: 2 },
  ],
});

test('TShark reads the parameters of a submit_sm', () => {
  const dlt = { entity: '1101123456789012345', template: '1107987654321098765' };
  const tlvs = compileParameters(settings.parameters)({
    ...{ accountId: 1, id: 7, source: 'SHOP', destination: '919812345678', payload: '', validUntil: 0 },
    options: { dlt },
  });
  const octets = encodePdu({ ...messagePdu(command.submitSm), tlvs });
  const [fields] = decodeSmpp(
    [{ fromServer: false, octets }],
    [
      ...['_ws.malformed', 'smpp.opt_param_tag', 'smpp.opt_param_len'],
      ...['smpp.vendor_op', 'smpp.user_message_reference'],
    ],
  );
  assert.deepEqual(fields, [
    '',
    '0x1400;0x1401;0x0204',
    '19;20;2',
    [dlt.entity, `${dlt.template}\0`].map((text) => Buffer.from(text).toString('hex')).join(';'),
    '0x0102',
  ]);
});
