import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { asPerson, withToken } from '../../api/v1/calls.ts';
import { startDispatching } from '../../engine/dispatch/support.ts';
import { allFinal, call, phone, startNetwork } from '../../faults/support.ts';
import { waitFor } from '../../support/wait-for.ts';

/* Ids of India's DLT, from the account, its senders and the request to the parameters of submit_sm. */

const network = await startNetwork();
const folder = mkdtempSync(join(tmpdir(), 'carillon-dlt-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'carriers.json');
const connector = {
  ...{ name: 'india', host: '127.0.0.1', port: network.port, systemId: 'carillon', password: 'carillon' },
  parameters: [
    { tag: '0x1400', value: '{dlt.entity}' },
    { tag: '0x1401', value: '{dlt.template}' },
  ],
};
writeFileSync(file, JSON.stringify({ links: [connector] }));
const service = await startDispatching(network, {}, undefined, { CARRIERS_FILE: file });
const { url, sql } = service;

const ENTITY = '1101123456789012345';
const TEMPLATE = '1107987654321098765';
const newAccount = async (username: string) => {
  const account = await service.account(username, 1_000);
  const owner = await asPerson(service, 'owner', account.id);
  return { account, owner, calls: withToken(url, account.token) };
};

let last = 0;
const newPhone = () => phone(++last);
/** Entity and template that a message had at the carrier. */
async function idsOf(to: string): Promise<(string | undefined)[]> {
  const submit = await waitFor(`the message to ${to}`, () => network.submits.find((one) => one.to === to));
  return [0x1400, 0x1401].map((wanted) => {
    const value = submit.tlvs.find(({ tag }) => tag === wanted)?.value;
    return value && Buffer.from(value).toString();
  });
}

test('messages have the ids of the request, of their sender, or of the account', async () => {
  const { account, owner, calls } = await newAccount('shop');
  const send = async (source: string, dlt?: object) => {
    const to = newPhone();
    await calls.post('/sms', { source, message: 'Hello', phones: [to], ...(dlt && { dlt }) }, 202);
    return idsOf(to);
  };
  assert.deepEqual(await send('SHOPIN'), [undefined, undefined]);
  assert.deepEqual(await send('SHOPIN', { template_id: TEMPLATE }), [undefined, TEMPLATE]);

  await owner.call('PATCH', '/dlt-ids', {
    entity_id: ENTITY,
    senders: [
      { source: 'ShopIn', template_id: '5' },
      { source: 'PARTNR', entity_id: '6' },
    ],
  });
  assert.deepEqual(await send('SHOPIN'), [ENTITY, '5']);
  assert.deepEqual(await send('SHOPIN', { template_id: TEMPLATE }), [ENTITY, TEMPLATE]);
  assert.deepEqual(await send('PARTNR', { template_id: TEMPLATE }), ['6', TEMPLATE]);
  assert.deepEqual(await send('OTHER', { entity_id: '7' }), ['7', undefined]);

  // A send with several senders, of an API that has no field for them.
  const [one, other] = [newPhone(), newPhone()];
  const sms = (source: string, to: string) => ({ source, message: 'Hi', destinations: { phone: [to] } });
  const answer = await call(url, account, 'bulk', {
    messages: { sms: [sms('SHOPIN', one), sms('PARTNR', other)] },
  });
  assert.equal(answer.status, 0, answer.message);
  assert.deepEqual(
    [await idsOf(one), await idsOf(other)],
    [
      [ENTITY, '5'],
      ['6', undefined],
    ],
  );
  await allFinal(sql);
});

test('a scheduled message has them too, and a copy of a send names them', async () => {
  const { owner, calls } = await newAccount('later');
  await owner.call('PATCH', '/dlt-ids', { entity_id: ENTITY });
  const [to, other] = [newPhone(), newPhone()];
  const at = new Date(service.clock.now() + 3_600_000).toISOString();
  const dlt = { template_id: TEMPLATE };
  const { shipment_id: id } = await calls.post<{ shipment_id: string }>(
    '/sms',
    { source: 'SHOPIN', message: 'Hello', phones: [to, other], dlt, at },
    202,
  );
  const { body } = await calls.get<{ body: { dlt: object } }>(`/campaigns/${id}/request`);
  assert.deepEqual(body.dlt, { template_id: TEMPLATE, entity_id: null });
  service.clock.advance(3_700_000);
  assert.deepEqual(await idsOf(to), [ENTITY, TEMPLATE]);
  await allFinal(sql);
});

test('the owner reads and changes them, and bad values are refused', async () => {
  const { owner, calls, account } = await newAccount('owned');
  assert.deepEqual(await calls.get('/dlt-ids'), { entity_id: null, senders: [] });
  const senders = [{ source: 'SHOPIN', entity_id: null, template_id: '5' }];
  assert.deepEqual(await owner.call('PATCH', '/dlt-ids', { senders }), { entity_id: null, senders });
  assert.deepEqual(await owner.call('PATCH', '/dlt-ids', { entity_id: ENTITY }), {
    entity_id: ENTITY,
    senders,
  });
  assert.deepEqual(await calls.get('/dlt-ids'), { entity_id: ENTITY, senders });
  const sender = await asPerson(service, 'sender', account.id);
  assert.deepEqual(await sender.refused('PATCH', '/dlt-ids', {}), ['not-allowed', undefined, 403]);
  for (const [field, body] of [
    ['entity_id', { entity_id: 'abc' }],
    ['senders[0].template_id', { senders: [{ source: 'A', template_id: '1'.repeat(31) }] }],
    ['senders[0].source', { senders: [{ source: '' }] }],
    ['senders[1].source', { senders: [{ source: 'Shop' }, { source: 'SHOP' }] }],
  ] as const)
    assert.deepEqual(await owner.refused('PATCH', '/dlt-ids', body), ['bad-field', field, 400]);
  const sms = { source: 'Shop', message: 'Hello', phones: [newPhone()] };
  assert.deepEqual(await calls.refused('POST', '/sms', { ...sms, dlt: { template_id: 'x' } }), [
    'bad-field',
    'dlt.template_id',
    400,
  ]);
});
