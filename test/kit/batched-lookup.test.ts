import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { BatchedLookup } from '../../server/kit/batched-lookup.ts';
import { waitFor } from '../support/wait-for.ts';

/** A table whose reads end when the test says so. */
class Table {
  readonly values = new Map<string, number>();
  /** Keys of the reads, and functions that end those under way. */
  readonly reads: string[][] = [];
  readonly running: ((error?: Error) => void)[] = [];

  readonly read = (keys: readonly string[]): Promise<Map<string, number>> => {
    this.reads.push([...keys]);
    const found = new Map(
      keys.flatMap((key): [string, number][] => {
        const value = this.values.get(key);
        return value === undefined ? [] : [[key, value]];
      }),
    );
    return new Promise((resolve, reject) => {
      this.running.push((error) => (error ? reject(error) : resolve(found)));
    });
  };

  /** Ends the oldest read under way, after all keys of this turn were collected. */
  async end(error?: Error): Promise<void> {
    await waitFor('a read is under way', () => this.running.length > 0);
    this.running.shift()!(error);
    await turn();
  }
}

const cache = { maxAgeMs: 60_000, max: 100 };

test('the keys of one turn are read together, and those of a running read by the next one', async () => {
  const table = new Table();
  const lookup = new BatchedLookup({ read: table.read, maxKeys: 3 });
  table.values.set('a', 1).set('c', 3);
  const first = Promise.all([lookup.get('a'), lookup.get('b'), lookup.get('a')]);
  await waitFor('it is read', () => table.reads.length === 1);
  const second = Promise.all(['a', 'b', 'c', 'd'].map((key) => lookup.get(key)));
  await table.end();
  assert.deepEqual(await first, [1, undefined, 1]);
  await table.end();
  await table.end();
  assert.deepEqual(await second, [1, undefined, 3, undefined]);
  assert.deepEqual(table.reads, [['a', 'b'], ['a', 'b', 'c'], ['d']], 'at most three keys each');
});

test('an error reaches each caller of its read, and is not cached', async () => {
  const table = new Table();
  const lookup = new BatchedLookup({ read: table.read, cache: { ...cache, withAbsent: true } });
  const asked = [lookup.get('a'), lookup.get('b'), lookup.getAll(['b', 'c'])];
  const settled = Promise.allSettled(asked);
  await table.end(new Error('the database is away'));
  for (const result of await settled) {
    assert.equal(result.status, 'rejected');
    assert.equal(result.reason.message, 'the database is away');
  }
  table.values.set('a', 1);
  const again = lookup.get('a');
  await table.end();
  assert.equal(await again, 1);
});

test('a read that does not end does not delay the next one', async () => {
  const table = new Table();
  const lookup = new BatchedLookup({ read: table.read });
  table.values.set('b', 2);
  const stuck = lookup.get('a');
  await waitFor('it is read', () => table.reads.length === 1);
  const next = lookup.get('b');
  await waitFor('the next one is read', () => table.reads.length === 2);
  table.running.pop()!();
  assert.equal(await next, 2);
  await table.end();
  assert.equal(await stuck, undefined);
});

test('values in use are read again with others before they are too old', async ({ mock }) => {
  let now = 0;
  mock.method(performance, 'now', () => now);
  const table = new Table();
  const lookup = new BatchedLookup({ read: table.read, cache: { maxAgeMs: 400, max: 100 } });
  table.values.set('used', 1).set('unused', 2);
  const both = lookup.getAll(['used', 'unused']);
  await table.end();
  assert.deepEqual(await both, new Map(Object.entries({ used: 1, unused: 2 })));
  // The look-up above counts as a use of both.
  for (const expected of [
    ['used', 'unused'],
    ['used', 'other 0'],
  ]) {
    now += 200;
    const key = `other ${table.reads.length - 1}`;
    table.values.set(key, 3);
    const other = lookup.get(key);
    await table.end();
    assert.equal(await other, 3);
    assert.deepEqual(new Set(table.reads.at(-1)), new Set([key, ...expected]));
    assert.equal(await lookup.get('used'), 1);
  }
  assert.deepEqual(lookup.peek('unused'), { value: 2, isFresh: true });
  now += 200;
  assert.deepEqual(lookup.peek('unused'), { value: 2, isFresh: false });
});

test('the least recently used key is removed', async () => {
  const table = new Table();
  const lookup = new BatchedLookup({ read: table.read, cache: { maxAgeMs: 60_000, max: 2 } });
  table.values.set('a', 1).set('b', 2).set('c', 3);
  for (const keys of [['a', 'b'], ['c']]) {
    const read = lookup.getAll(keys);
    await table.end();
    await read;
    lookup.peek('a');
  }
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => lookup.peek(key)?.value),
    [1, undefined, 3],
  );
});

test('reads do not run in the context of a caller', async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const read = async (keys: readonly string[]) => {
    seen.push(storage.getStore());
    return new Map(keys.map((key) => [key, 1]));
  };
  const lookup = new BatchedLookup({ read });
  await storage.run('caller', () => lookup.get('a'));
  assert.deepEqual(seen, [undefined]);
});

/*
 * A model: whatever the order of look-ups, changes and ends of reads, a look-up returns a value that its key had after
 * the last `forget` before it.
 */
type Step =
  | { readonly kind: 'get' | 'getAll' | 'forget'; readonly key: string }
  | { readonly kind: 'change'; readonly key: string; readonly value: number | undefined }
  | { readonly kind: 'clear' | 'turn' }
  | { readonly kind: 'end'; readonly fails: boolean };

const key = fc.constantFrom('a', 'b', 'c', 'd');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom('get', 'getAll'), key }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('change'),
      key,
      value: fc.option(fc.nat(9), { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('forget'), key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('turn') }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('end'), fails: fc.boolean() }) },
);

async function play(steps: readonly Step[], withAbsent: boolean): Promise<void> {
  const table = new Table();
  const lookup = new BatchedLookup({ read: table.read, maxKeys: 3, cache: { ...cache, withAbsent } });
  /** All values of a key, and the index of the one that it had when it was forgotten. */
  const histories = new Map(
    ['a', 'b', 'c', 'd'].map((one) => [one, { values: [undefined as number | undefined], from: 0 }]),
  );
  const forget = (one: string) => {
    const history = histories.get(one)!;
    history.from = history.values.length - 1;
  };
  const checks: Promise<void>[] = [];
  let failures = 0;
  const get = async (one: string, asked: Promise<number | undefined>) => {
    const { values, from } = histories.get(one)!;
    const result = await asked.catch(() => 'failed' as const);
    // Values that the key gets while the look-up waits are permitted, too.
    const permitted = values.slice(from);
    if (result === 'failed') failures++;
    else assert.ok(permitted.includes(result), `${one}: ${result} is none of ${permitted}`);
  };
  for (const one of steps) {
    switch (one.kind) {
      case 'get':
        checks.push(get(one.key, lookup.get(one.key)));
        break;
      case 'getAll': {
        const all = lookup.getAll(['a', one.key]);
        checks.push(
          get(
            'a',
            all.then((found) => found.get('a')),
          ),
        );
        checks.push(
          get(
            one.key,
            all.then((found) => found.get(one.key)),
          ),
        );
        break;
      }
      case 'change':
        if (one.value === undefined) table.values.delete(one.key);
        else table.values.set(one.key, one.value);
        histories.get(one.key)!.values.push(one.value);
        break;
      case 'forget':
        lookup.forget(one.key);
        forget(one.key);
        break;
      case 'clear':
        lookup.clear();
        for (const each of histories.keys()) forget(each);
        break;
      case 'turn':
        await turn();
        break;
      case 'end':
        table.running.shift()?.(one.fails ? new Error('the database is away') : undefined);
        break;
    }
  }
  let settled = false;
  const all = Promise.all(checks).finally(() => {
    settled = true;
  });
  while (!settled) {
    table.running.shift()?.();
    await turn();
  }
  await all;
  assert.ok(failures === 0 || steps.some((one) => one.kind === 'end' && one.fails));
  assert.ok(table.reads.every((keys) => keys.length <= 3 && new Set(keys).size === keys.length));
}

test('a look-up never returns a value from before the last change that was announced', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), fc.boolean(), play), {
    numRuns: 300,
  });
});
