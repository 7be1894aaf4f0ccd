import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fifo } from '../../../server/protocols/smpp/fifo.ts';

test('a queue does what an array does', () => {
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('push'), count: fc.integer({ min: 1, max: 900 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('shift'), count: fc.integer({ min: 1, max: 900 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('putBack'), count: fc.integer({ min: 0, max: 40 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('drain'), count: fc.constant(1) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const queue = new Fifo<number>();
      let model: number[] = [];
      let next = 0;
      const items = (count: number) => Array.from({ length: count }, () => next++);
      for (const { kind, count } of steps) {
        if (kind === 'push') {
          for (const item of items(count)) {
            queue.push(item);
            model.push(item);
          }
        } else if (kind === 'shift') {
          for (let i = 0; i < count; i++) assert.equal(queue.shift(), model.shift());
        } else if (kind === 'putBack') {
          const back = items(count);
          queue.putBack(back);
          model = [...back, ...model];
        } else {
          assert.deepEqual(queue.drain(), model);
          model = [];
        }
        assert.equal(queue.length, model.length);
        assert.equal(queue.peek(), model[0]);
      }
    }),
  );
});
