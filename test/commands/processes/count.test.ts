import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processCount } from '../../../server/commands/processes/count.ts';
import { shareOf } from '../../../server/engine/carriers/parts.ts';
import { partOfTrunk, sipTrunkSettings } from '../../../server/protocols/sip/settings.ts';
import { partOfSmpp, smppConnectorSettings } from '../../../server/protocols/smpp/settings.ts';

const DATABASE_URL = 'postgres://database.example/carillon';

test('`auto` leaves a third of the processors to an embedded database', () => {
  const counts = (url?: string) =>
    [1, 2, 3, 4, 8, 64].map((processors) =>
      processCount({ PROCESSES: 'auto', DATABASE_URL: url }, processors),
    );
  assert.deepEqual(counts(), [1, 1, 2, 2, 5, 32]);
  assert.deepEqual(counts(DATABASE_URL), [1, 2, 3, 4, 8, 32]);
  assert.equal(processCount({ PROCESSES: 7, DATABASE_URL: undefined }, 1), 7);
});

test('the parts of a connector together are the connector', () => {
  const smpp = smppConnectorSettings.parse({
    name: 'carrier',
    host: '127.0.0.1',
    systemId: 'carillon',
    binds: 7,
    window: 100,
    messagesPerSecond: 70,
  });
  const trunk = sipTrunkSettings.parse({
    name: 'trunk',
    uri: 'sip:127.0.0.1',
    callerId: '972501234567',
    callsAtOnce: 5,
    callsPerSecond: 2,
  });
  for (const count of [1, 2, 3, 4]) {
    const parts = Array.from({ length: count }, (_, index) => ({ index, count }));
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
    assert.equal(sum(parts.map((part) => shareOf(10, part))), 10);
    const smppParts = parts.map((part) => partOfSmpp(smpp, part));
    assert.equal(sum(smppParts.map(({ binds }) => binds)), 7);
    assert.equal(sum(smppParts.map(({ window }) => window)), 100);
    assert.equal(Math.round(sum(smppParts.map(({ messagesPerSecond }) => messagesPerSecond))), 70);
    const calls = parts.map((part) => partOfTrunk(trunk, part));
    assert.equal(sum(calls.map(({ callsAtOnce }) => callsAtOnce)), 5);
    assert.equal(sum(calls.map(({ callsPerSecond }) => Math.round(callsPerSecond * 1_000))), 2_000);
  }
});
