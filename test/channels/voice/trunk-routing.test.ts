import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  CarrierConfigurationError,
  callRoutes,
  readCarriers,
} from '../../../server/engine/carriers/configuration.ts';
import { Routing } from '../../../server/engine/carriers/routing.ts';

/** Trunks in CARRIERS_FILE, and the routes that they make. */
const folder = await mkdtemp(join(tmpdir(), 'carillon-trunks-'));
after(() => rm(folder, { recursive: true }));

async function read(file: unknown) {
  const path = join(folder, 'carriers.json');
  await writeFile(path, JSON.stringify(file));
  return readCarriers({ CARRIERS_FILE: path })!;
}

const trunk = (name: string, more: object = {}) => ({
  name,
  uri: 'sip:sip.example',
  callerId: '+97237654321',
  ...more,
});
const connector = { name: 'alpha', host: 'smsc.example', systemId: 'me' };

test('trunks are used together with SMPP connectors, or alone; a file without both is refused', async () => {
  const both = await read({ links: [connector], trunks: [trunk('one')] });
  assert.deepEqual([both.connectors.length, both.trunks.length], [1, 1]);
  const alone = await read({ trunks: [trunk('one')] });
  assert.deepEqual([alone.connectors.length, alone.trunks[0]!.callsAtOnce], [0, 10]);
  await assert.rejects(read({}), CarrierConfigurationError);
  await assert.rejects(read({ trunks: [trunk('alpha')], links: [connector] }), /same name/);
  await assert.rejects(read({ trunks: [trunk('one'), trunk('one')] }), /same name/);
  await assert.rejects(read({ trunks: [trunk('one', { uri: 'http://x' })] }), /trunks\.0\.uri/);
});

test('the longest prefix decides; trunks with the same prefix replace each other', async () => {
  const { trunks } = await read({
    trunks: [
      trunk('home', { prefixes: ['972'] }),
      trunk('spare', { prefixes: ['972', '97250'], callerId: '036000000' }),
    ],
  });
  const routing = new Routing([], callRoutes(trunks));
  assert.deepEqual(routing.callRouteOf('972521234567'), {
    name: 'voice/972',
    prefixes: ['972'],
    connectors: ['home', 'spare'],
    callerId: '97237654321',
  });
  assert.deepEqual(routing.sharesOf('voice/97250'), [[{ connector: 'spare', weight: 1 }]]);
  assert.equal(routing.callRouteOf('972501234567')!.callerId, '036000000');
  assert.equal(routing.callRouteOf('12125550123'), undefined);
  assert.deepEqual([...routing.routes], []);
});
