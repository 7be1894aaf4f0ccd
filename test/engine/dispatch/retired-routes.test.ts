import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Routing } from '../../../server/engine/carriers/routing.ts';

const route = (name: string, prefix: string, connector: string) => ({
  name,
  prefixes: [prefix],
  connectors: [connector],
});
const call = (prefix: string, connector: string) => ({
  ...route(`voice/${prefix}`, prefix, connector),
  callerId: '1',
});

test('what waits on a route that was removed goes where its prefix goes now', () => {
  const routing = new Routing([route('default', '', 'one')]);
  routing.update({
    routes: [route('default', '', 'one'), route('to/97250', '97250', 'two')],
    callRoutes: [call('44', 'first'), call('', 'second')],
    retired: [],
  });
  assert.equal(routing.routeOf('972501234567'), 'to/97250');
  assert.deepEqual(routing.sharesOf('voice/44'), [[{ connector: 'first', weight: 1 }]]);
  routing.update({
    routes: [route('default', '', 'one'), route('to/972', '972', 'three')],
    callRoutes: [call('', 'second')],
    retired: ['to/97250', 'to/1', 'voice/44'],
  });
  assert.equal(routing.routeOf('972501234567'), 'to/972');
  assert.deepEqual(routing.sharesOf('to/97250'), [[{ connector: 'three', weight: 1 }]]);
  assert.deepEqual(routing.sharesOf('to/1'), [[{ connector: 'one', weight: 1 }]]);
  assert.deepEqual(routing.sharesOf('voice/44'), [[{ connector: 'second', weight: 1 }]]);
  assert.deepEqual(
    ['to/97250', 'voice/44', 'to/7'].map((name) => routing.has(name)),
    [true, true, false],
  );
});

test('of two routes with one prefix the one that was added counts, until it is removed', () => {
  const configured = route('default', '', 'one');
  const routing = new Routing([configured]);
  routing.update({ routes: [configured, route('to/', '', 'two')], callRoutes: [], retired: [] });
  assert.equal(routing.routeOf('972501234567'), 'to/');
  routing.update({ routes: [configured], callRoutes: [], retired: ['to/'] });
  assert.equal(routing.routeOf('972501234567'), 'default');
  assert.deepEqual(routing.sharesOf('to/'), [[{ connector: 'one', weight: 1 }]]);
});
