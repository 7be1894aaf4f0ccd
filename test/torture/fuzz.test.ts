import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCorpus } from './fuzz/corpus.ts';
import { bring, openTargets } from './fuzz/fuzz.ts';
import { random } from './random.ts';

/* The short form of a machine of `npm run torture` (docs/reliability.md). */

const SEED = 12;
/** Inputs of each target. */
const INPUTS = 60;
const { targets, close } = await openTargets();

test('every input that ever failed is answered as it is documented', async () => {
  for (const { target: name, input, why } of readCorpus()) {
    const target = targets.find((one) => one.name === name);
    assert.ok(target, `there is no target ${name}`);
    assert.equal(await bring(target, input), undefined, why);
  }
});

test('broken inputs to every route and protocol are answered as it is documented, in time', async () => {
  const chance = random(SEED);
  for (const target of targets) {
    for (let count = 0; count < INPUTS; count++) {
      const input = target.next(chance);
      assert.equal(await bring(target, input), undefined, JSON.stringify({ target: target.name, input }));
    }
    assert.equal(await target.check?.(), undefined);
  }
});

test('what was opened for it closes', close);
