import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lowerBound, type Quality, QualityBook, verdictOf } from '../../../server/engine/carriers/quality.ts';
import type { Route } from '../../../server/engine/carriers/route.ts';
import { Routing } from '../../../server/engine/carriers/routing.ts';

const PREFIX = '97250';
const TO = '972501234567';
const quality = (connector: string, delivered: number, samples: number): Quality => ({
  prefix: PREFIX,
  connector,
  delivered,
  samples,
});
const route = (minDelivered: number, explore = 0.05): Route => ({
  name: 'rule/1',
  prefixes: [''],
  connectors: ['cheap', 'dear'],
  shares: [[{ connector: 'cheap', weight: 1 }], [{ connector: 'dear', weight: 1 }]],
  quality: { minDelivered, explore },
});
const namesOf = (routing: Routing, draw = 1) =>
  routing
    .choiceOf('rule/1', TO, draw)!
    .groups.flat()
    .map(({ connector }) => connector);

test('the lower bound is 1.645 standard deviations below the share, and grows with the samples', () => {
  for (const [delivered, samples] of [
    [81, 100],
    [5, 60],
    [999, 1_000],
  ] as const) {
    const bound = lowerBound({ delivered, samples });
    // The standard deviation is that of the bound itself, which is what Wilson's interval solves.
    const deviation = Math.sqrt((bound * (1 - bound)) / samples);
    assert.ok(Math.abs((delivered / samples - bound) / deviation - 1.645) < 1e-9);
  }
  assert.equal(lowerBound({ delivered: 0, samples: 0 }), 0);
  assert.ok(lowerBound({ delivered: 90, samples: 100 }) < lowerBound({ delivered: 900, samples: 1_000 }));
  assert.ok(lowerBound({ delivered: 1_000, samples: 1_000 }) < 1);
});

test('too few samples say nothing, and a bound decides', () => {
  assert.equal(verdictOf(undefined, 0.9), 'unknown');
  assert.equal(verdictOf(quality('cheap', 0, 49.9), 0.9), 'unknown');
  assert.equal(verdictOf(quality('cheap', 0, 50), 0.9), 'poor');
  assert.equal(verdictOf(quality('cheap', 920, 1_000), 0.9), 'good');
  assert.equal(verdictOf(quality('cheap', 46, 50), 0.9), 'poor');
});

test('good connectors come first, then unknown ones, then poor ones; a share of the messages explores', () => {
  const routing = new Routing([route(0.9)]);
  assert.deepEqual(namesOf(routing), ['cheap', 'dear']);
  routing.learn(new QualityBook([quality('cheap', 50, 100)]));
  assert.deepEqual(namesOf(routing), ['dear', 'cheap']);
  routing.learn(new QualityBook([quality('cheap', 99, 100)]));
  assert.deepEqual(namesOf(routing), ['cheap', 'dear']);
  assert.deepEqual(namesOf(routing, 0.049), ['dear', 'cheap']);
  assert.deepEqual(namesOf(routing, 0.05), ['cheap', 'dear']);
  // Other prefixes are another matter.
  assert.equal(routing.choiceOf('rule/1', '447912345678', 1)!.groups[0]![0]!.connector, 'cheap');
  assert.equal(routing.choiceOf('other', TO, 1), undefined);
});

test('over hours, the traffic moves to the connector that delivers, and back when it recovers', () => {
  const routing = new Routing([route(0.85)]);
  // A linear congruential generator, so that each run is the same.
  let state = 7;
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const known = new Map(['cheap', 'dear'].map((name) => [name, { delivered: 0, samples: 0 }]));
  /** Sends a thousand messages in an hour; returns how many took the cheap connector. */
  const hour = (delivers: Readonly<Record<string, number>>) => {
    let cheap = 0;
    for (let sent = 0; sent < 1_000; sent++) {
      if (sent % 50 === 0)
        routing.learn(
          new QualityBook(
            [...known].map(([name, { delivered, samples }]) => quality(name, delivered, samples)),
          ),
        );
      const [name] = namesOf(routing, random());
      if (name === 'cheap') cheap++;
      const figure = known.get(name!)!;
      figure.samples++;
      if (random() < delivers[name!]!) figure.delivered++;
    }
    for (const figure of known.values()) {
      figure.samples *= 0.5 ** (1 / 12);
      figure.delivered *= 0.5 ** (1 / 12);
    }
    return cheap;
  };
  const both = { cheap: 0.97, dear: 0.97 };
  const collapsed = { cheap: 0.4, dear: 0.97 };
  assert.ok(hour(both) >= 900, 'the cheap one takes the traffic at first');
  const during = Array.from({ length: 12 }, () => hour(collapsed));
  assert.ok(during[0]! < 800, 'the traffic leaves within the first hour');
  assert.equal(during[6], 0);
  const after = Array.from({ length: 72 }, () => hour(both));
  assert.ok(after.at(-1)! >= 900, 'it comes back when what is known of the collapse is old');
});
