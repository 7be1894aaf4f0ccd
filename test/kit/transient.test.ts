import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Place, TransientMap, TransientSet } from '../../server/kit/transient.ts';

const membersOf = <T>(set: TransientSet<T>): T[] => {
  const members: T[] = [];
  set.visit((member) => {
    members.push(member);
  });
  return members;
};

test('a transient set has the members that were added and not removed', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), (steps) => {
      const set = new TransientSet<number>();
      const places: Place<number>[] = [];
      const expected = new Set<number>();
      for (const [number, step] of steps.entries()) {
        const place = places[step];
        if (place) assert.equal(set.remove(place), expected.delete(place.member));
        else {
          places.push(set.add(number));
          expected.add(number);
        }
      }
      assert.equal(set.size, expected.size);
      assert.deepEqual(new Set(membersOf(set)), expected);
    }),
  );
});

test('members of a transient set may be removed while they are visited', () => {
  const set = new TransientSet<number>();
  const places = [1, 2, 3].map((member) => set.add(member));
  const visited: number[] = [];
  set.visit((member, place) => {
    visited.push(member);
    set.remove(place);
    set.remove(places[1]!);
  });
  assert.deepEqual(visited, [1, 3]);
  assert.equal(set.size, 0);
});

test('a transient map has the entries of a map, in its order', () => {
  const map = new TransientMap<number, string>();
  for (const [key, value] of [
    [3, 'c'],
    [1, 'a'],
    [2, 'b'],
  ] as const)
    map.add(key, value);
  assert.equal(map.remove(1), 'a');
  assert.equal(map.remove(1), undefined);
  assert.deepEqual(
    [...map.entries()],
    [
      [3, 'c'],
      [2, 'b'],
    ],
  );
  assert.equal(map.size, 2);
});
