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
const namesOf = (routing: Routing, draw = 1, isCode = false) =>
  routing
    .choiceOf('rule/1', { destination: TO, isCode }, draw)!
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
  const elsewhere = { destination: '447912345678', isCode: false };
  assert.equal(routing.choiceOf('rule/1', elsewhere, 1)!.groups[0]![0]!.connector, 'cheap');
  assert.equal(routing.choiceOf('other', { destination: TO, isCode: false }, 1), undefined);
});

test('the share of used codes counts for codes only, and a connector is as good as its worse share', () => {
  const codesOnly = { ...route(0.9), quality: { minUsed: 0.6, explore: 0 } };
  const routing = new Routing([codesOnly]);
  const figures = (connector: string, delivered: number, used: number) => ({
    ...quality(connector, delivered, 100),
    codes: 100,
    used,
  });
  routing.learn(new QualityBook([figures('cheap', 99, 30), figures('dear', 50, 80)]));
  assert.deepEqual(namesOf(routing, 1, true), ['dear', 'cheap']);
  assert.equal(routing.choiceOf('rule/1', { destination: TO, isCode: false }, 1), undefined);
  assert.deepEqual([routing.isJudged('rule/1', true), routing.isJudged('rule/1', false)], [true, false]);
  // Delivered, but with too few codes: unknown, before a poor one.
  routing.learn(new QualityBook([figures('cheap', 99, 30), quality('dear', 99, 100)]));
  assert.deepEqual(namesOf(routing, 1, true), ['dear', 'cheap']);

  const both = { ...route(0.9), quality: { minDelivered: 0.9, minUsed: 0.6, explore: 0 } };
  routing.update({ routes: [both], callRoutes: [], retired: [] });
  routing.learn(new QualityBook([figures('cheap', 99, 30), figures('dear', 99, 80)]));
  assert.deepEqual(
    [namesOf(routing, 1, true), namesOf(routing)],
    [
      ['dear', 'cheap'],
      ['cheap', 'dear'],
    ],
  );
  routing.learn(new QualityBook([figures('cheap', 50, 80), quality('dear', 99, 100)]));
  assert.deepEqual(namesOf(routing, 1, true), ['dear', 'cheap']);
});

/** A linear congruential generator, so that each run is the same. */
function generator() {
  let state = 7;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

test('over hours, the traffic moves to the connector that delivers, and back when it recovers', () => {
  const routing = new Routing([route(0.85)]);
  const random = generator();
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

test('over hours, codes leave the connector whose codes nobody uses, although it reports deliveries', () => {
  const routing = new Routing([{ ...route(0), quality: { minUsed: 0.6, explore: 0.05 } }]);
  const random = generator();
  /** Parts of an hour; the codes of the last one are not counted yet. */
  const SLOTS = 3;
  type Figures = Record<'codes' | 'used', number>;
  const known = new Map<string, Figures>(['cheap', 'dear'].map((name) => [name, { codes: 0, used: 0 }]));
  const pending: { readonly name: string; readonly isUsed: boolean }[][] = [];
  const learn = () =>
    routing.learn(
      new QualityBook([...known].map(([name, figures]) => ({ ...quality(name, 99, 100), ...figures }))),
    );
  /** Sends 300 codes in an hour, of which some are used; returns how many took the cheap connector. */
  const hour = (uses: Readonly<Record<string, number>>) => {
    let cheap = 0;
    for (let slot = 0; slot < SLOTS; slot++) {
      const sent = [];
      for (let code = 0; code < 100; code++) {
        const [name] = namesOf(routing, random(), true);
        if (name === 'cheap') cheap++;
        sent.push({ name: name!, isUsed: random() < uses[name!]! });
      }
      pending.push(sent);
      for (const { name, isUsed } of pending.length > 1 ? pending.shift()! : []) {
        const figures = known.get(name)!;
        figures.codes++;
        if (isUsed) figures.used++;
      }
      for (const figures of known.values()) {
        figures.codes *= 0.5 ** (1 / 12 / SLOTS);
        figures.used *= 0.5 ** (1 / 12 / SLOTS);
      }
      learn();
    }
    return cheap;
  };
  const both = { cheap: 0.8, dear: 0.8 };
  const fake = { cheap: 0.05, dear: 0.8 };
  const healthy = Array.from({ length: 12 }, () => hour(both));
  assert.ok(healthy.at(-1)! >= 270, 'the cheap one takes the codes at first');
  const during = Array.from({ length: 12 }, () => hour(fake));
  assert.ok(during[0]! >= 270, 'the codes of before count too');
  assert.equal(during[6], 0);
  const after = Array.from({ length: 96 }, () => hour(both));
  assert.ok(after.at(-1)! >= 270, 'they come back when what is known of that time is old');
});
