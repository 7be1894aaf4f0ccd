import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lifecycle, type Stage } from '../../server/kit/lifecycle.ts';

/** Stages that write down what is done with them. */
function stages(done: string[], fails: readonly string[] = []): Stage[] {
  const act = (what: string) => {
    done.push(what);
    if (fails.includes(what)) throw new Error(`${what} failed`);
  };
  return ['events', 'dispatcher', 'listeners'].map((name) => ({
    name,
    start: async () => act(`start ${name}`),
    stop: async () => act(`stop ${name}`),
  }));
}

const stopped = ['stop listeners', 'stop dispatcher', 'stop events'];

test('stages start in their order and stop in the reverse of it', async () => {
  const done: string[] = [];
  const lifecycle = new Lifecycle(stages(done));
  await lifecycle.start();
  assert.deepEqual(done.splice(0), ['start events', 'start dispatcher', 'start listeners']);
  await lifecycle.stop(1_000);
  assert.deepEqual(done, stopped);
});

test('a stage that cannot start stops all of them', async () => {
  const done: string[] = [];
  const lifecycle = new Lifecycle(stages(done, ['start dispatcher']));
  await assert.rejects(lifecycle.start(), /start dispatcher failed/);
  assert.deepEqual(done, ['start events', 'start dispatcher', ...stopped]);
});

test('a stage that cannot stop keeps no other from stopping', async () => {
  const done: string[] = [];
  const lifecycle = new Lifecycle(stages(done, ['stop listeners']));
  await lifecycle.start();
  done.length = 0;
  await assert.rejects(lifecycle.stop(1_000), /stop listeners failed/);
  assert.deepEqual(done, stopped);
});

test('a failed start is reported, also when a stage then cannot stop', async () => {
  const lifecycle = new Lifecycle(stages([], ['start events', 'stop events']));
  await assert.rejects(lifecycle.start(), /start events failed/);
});

test('a stage has its share of the time that is left', async () => {
  const given: number[] = [];
  const stage = (name: string, share?: number): Stage => ({
    name,
    stop: (graceMs) => void given.push(graceMs),
    ...(share !== undefined && { share }),
  });
  await new Lifecycle([stage('rest'), stage('half', 0.5)]).stop(60_000);
  assert.ok(given[0]! <= 30_000 && given[1]! > 30_000, String(given));
  await new Lifecycle([stage('none')]).stop(0);
  assert.equal(given[2], 0);
});
