import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Loop } from '../../server/kit/loop.ts';
import { createLogger } from '../../server/kit/observability/log.ts';

const HOUR = 3_600_000;
const FIRST = 30_000;

const count = (firstMs?: number) => {
  const counted = { steps: 0 };
  const loop = new Loop({
    owner: 'upkeep',
    everyMs: HOUR,
    ...(firstMs !== undefined && { firstMs }),
    step: async () => counted.steps++,
    log: createLogger('silent'),
    failed: 'a step failed',
  });
  return { counted, loop };
};

test('rare steps begin soon after the start, and then come at their pace', async () => {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  try {
    const { counted, loop } = count(FIRST);
    loop.start();
    mock.timers.tick(FIRST - 1);
    assert.equal(counted.steps, 0);
    mock.timers.tick(1);
    await loop.run();
    assert.equal(counted.steps, 1, 'the one that was under way');
    mock.timers.tick(HOUR - FIRST);
    await loop.run();
    assert.equal(counted.steps, 2);
    await loop.stop();
  } finally {
    mock.timers.reset();
  }
});

test('a loop that is stopped does not begin its first step', async () => {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  try {
    const { counted, loop } = count(FIRST);
    loop.start();
    await loop.stop();
    mock.timers.tick(2 * HOUR);
    assert.equal(counted.steps, 0);
  } finally {
    mock.timers.reset();
  }
});
