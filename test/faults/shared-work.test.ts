import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedWork } from '../../server/kit/loop.ts';
import { currentStep, supervise } from '../../server/kit/owners.ts';

/*
 * What a step has begun goes on in its name when it is over: events that were fetched are sent then, and what was sent makes
 * room for the next fetch. Such a caller, or the step itself, waited for the work that it is part of, and the first answer of
 * the database ended the process ("Maximum call stack size exceeded") when 200,000 messages waited behind 25,000 events.
 */

test('work that its own steps request again continues', async () => {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const joined = Promise.withResolvers<void>();
  let runs = 0;
  let begun: Promise<void> | undefined;
  const shared = new SharedWork('event batches', async () => {
    const step = currentStep()!;
    if (++runs === 1) {
      begun = first.promise.then(() => {
        const again = shared.run();
        joined.resolve();
        return again;
      });
      return;
    }
    await second.promise;
    step.passed(1);
    step.progressed();
  });
  await shared.run();
  const next = shared.run();
  first.resolve();
  await joined.promise;
  second.resolve();
  await Promise.all([next, begun]);
  assert.equal(runs, 2);
});

test('a step that requests its own work without waiting for it continues', async () => {
  let asked: Promise<void> | undefined;
  const shared = new SharedWork('event batches', async () => {
    await Promise.resolve();
    asked = shared.run();
    currentStep()!.passed(1);
    currentStep()!.progressed();
  });
  await shared.run();
  await asked;
});

test('steps that wait for the work of each other make progress once', async () => {
  const gate = Promise.withResolvers<void>();
  const seen: boolean[] = [];
  const outer = new SharedWork('accounts', async () => {
    const step = currentStep()!;
    step.passed(1);
    void inner.run();
    await gate.promise;
    step.passed(1);
    step.progressed();
    seen.push(step.isSlow);
  });
  const inner: SharedWork = new SharedWork('business numbers', async () => {
    await Promise.resolve();
    void outer.run();
    await gate.promise;
  });
  const all = supervise('gauges', () => outer.run());
  setImmediate(gate.resolve);
  await all;
  assert.deepEqual(seen, [false]);
});
