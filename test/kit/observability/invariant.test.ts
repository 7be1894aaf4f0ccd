import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invariant, logInvariants } from '../../../server/kit/observability/invariant.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { metrics } from '../../../server/kit/observability/metrics.ts';

const counted = async (name: string) => {
  const metric = await metrics.getSingleMetric('carillon_invariant_violations_total')!.get();
  return metric.values.find(({ labels }) => labels.invariant === name)?.value;
};

test('a violation is counted each time, logged once with its facts, and stops nothing', async () => {
  const lines: string[] = [];
  logInvariants(createLogger('error', { write: (line: string) => lines.push(line) }));
  invariant(true, 'counts', () => assert.fail('nobody asks for the facts of what holds'));
  assert.equal(await counted('counts'), 0);
  for (let time = 0; time < 3; time++) invariant(false, 'counts', () => ({ accountId: 7, held: -1 }));
  assert.equal(await counted('counts'), 3);
  assert.equal(lines.length, 1);
  const line = JSON.parse(lines[0]!);
  assert.deepEqual([line.invariant, line.accountId, line.held], ['counts', 7, -1]);
  assert.match(line.stack, /invariant\.test/);
});
