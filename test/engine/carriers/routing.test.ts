import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Route } from '../../../server/engine/carriers/route.ts';
import type { RouteConditions, RoutedMessage } from '../../../server/engine/carriers/route-conditions.ts';
import { messageKinds } from '../../../server/engine/carriers/route-conditions.ts';
import { NEEDS_NETWORK, RouteTable } from '../../../server/engine/carriers/route-table.ts';
import { LOOK_UP_ROUTE, Routing } from '../../../server/engine/carriers/routing.ts';
import { inOrder, placeOf, routeOf } from '../../../server/engine/connectors/route-order.ts';
import type { StoredRoute } from '../../../server/engine/connectors/stored.ts';
import { weekdays } from '../../../server/kit/week-hours.ts';

const MONDAY = Date.parse('2026-11-30T00:00:00Z');
const HOUR_MS = 3_600_000;

const route = (name: string, prefixes: readonly string[], conditions: RouteConditions = {}): Route => ({
  name,
  prefixes,
  conditions,
  connectors: [`${name}-connector`],
});
const message = (destination: string, more: Partial<RoutedMessage> = {}): RoutedMessage => ({
  accountId: 1,
  source: 'Acme',
  destination,
  kind: 'transactional',
  at: MONDAY,
  ...more,
});
const stored = (id: number, prefixes: readonly string[], more: Partial<StoredRoute> = {}): StoredRoute => ({
  id,
  name: `rule/${id}`,
  title: '',
  conditions: { prefixes },
  connectors: [{ connector: 'one', priority: 0, weight: 1 }],
  choice: { by: 'priority' },
  leave: { codes: [] },
  ...more,
});
const nameOf = (found: ReturnType<RouteTable['find']>) => (found === NEEDS_NETWORK ? 'needs' : found?.name);
const namesOf = (routes: readonly Route[]) => routes.map(({ name, prefixes }) => `${name} ${prefixes}`);
const call = (prefix: string, connector: string) => ({
  name: `voice/${prefix}`,
  prefixes: [prefix],
  connectors: [connector],
  callerId: '1',
});

test('the first route whose conditions a message fulfils counts', () => {
  const week = Object.fromEntries(weekdays.map((day) => [day, ['20:00-08:00']])) as never;
  const table = new RouteTable([
    route('night', [''], { hours: { zone: 'Asia/Jerusalem', week } }),
    route('codes', ['972', '44'], { kinds: ['code'] }),
    route('acme', ['97250'], { senders: ['ACME'], accounts: [1, 2] }),
    route('israel', ['972']),
  ]);
  const takes = (to: string, more?: Partial<RoutedMessage>) => nameOf(table.find(message(to, more)));
  const noon = MONDAY + 10 * HOUR_MS;
  assert.equal(takes('972501234567'), 'night');
  assert.equal(takes('972501234567', { at: noon }), 'acme');
  assert.equal(takes('972501234567', { at: noon, source: 'acmE' }), 'acme');
  assert.equal(takes('972501234567', { at: noon, source: 'Other' }), 'israel');
  assert.equal(takes('972501234567', { at: noon, accountId: 3 }), 'israel');
  assert.equal(takes('972501234567', { at: noon, kind: 'code' }), 'codes');
  assert.equal(takes('447912345678', { at: noon, kind: 'code' }), 'codes');
  assert.equal(takes('447912345678', { at: noon }), undefined);
  assert.deepEqual(
    table
      .explain(message('972521234567', { at: noon, kind: 'marketing' }))
      .map(({ route: { name }, why }) => [name, why]),
    [
      ['night', 'hours'],
      ['codes', 'kinds'],
      ['acme', 'prefixes'],
      ['israel', undefined],
    ],
  );
  assert.equal(table.explain(message('972501234567', { at: noon })).at(-1)!.why, 'earlier');
});

test('the table finds the same route as a search through all of them', () => {
  // A linear congruential generator, so that each run has the same 300 tables.
  let state = 20_261_130;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % below;
  };
  const some = <T>(all: readonly T[]) => all.filter(() => random(3) === 0);
  const digits = (most: number) => Array.from({ length: random(most + 1) }, () => random(3)).join('');
  for (let round = 0; round < 300; round++) {
    const routes = Array.from({ length: random(8) }, (_, index) =>
      route(`r${index}`, [digits(4), digits(4)], {
        ...(random(2) && { accounts: some([1, 2, 3]) }),
        ...(random(2) && { senders: some(['a', 'B']) }),
        ...(random(2) && { kinds: some(messageKinds) }),
      }),
    );
    const table = new RouteTable(routes);
    for (let sent = 0; sent < 20; sent++) {
      const one = message(digits(6), {
        accountId: 1 + random(3),
        source: ['A', 'b'][random(2)]!,
        kind: messageKinds[random(3)]!,
      });
      const expected = routes.find(({ prefixes, conditions }) => {
        const { accounts = [one.accountId], senders = [one.source], kinds = [one.kind] } = conditions!;
        return (
          prefixes.some((prefix) => one.destination.startsWith(prefix)) &&
          accounts.includes(one.accountId) &&
          senders.some((sender) => sender.toLowerCase() === one.source.toLowerCase()) &&
          kinds.includes(one.kind)
        );
      });
      assert.equal(nameOf(table.find(one)), expected?.name);
    }
  }
});

test('a prefix of the configuration counts before an added route with a shorter one, and after one with the same', () => {
  const configured = [route('default', ['', '9725']), route('uk', ['44'])];
  const added = [
    stored(1, ['97250']),
    stored(2, ['972', '33'], { conditions: { prefixes: ['972', '33'], kinds: ['code'] } }),
    stored(3, ['972']),
    stored(4, ['44']),
  ];
  assert.deepEqual(namesOf(inOrder(configured, added)), [
    'rule/1 97250',
    'rule/2 972,33',
    'default 9725',
    'rule/3 972',
    'rule/4 44',
    'uk 44',
    'default ',
  ]);
  assert.deepEqual(namesOf(inOrder(configured, [])), ['default 9725', 'uk 44', 'default ']);
});

test('a new route comes before the first one that would take all its messages', () => {
  const routes = [route('codes', [''], { kinds: ['code'] }), route('israel', ['972']), route('all', [''])];
  const placed = (prefixes: readonly string[], conditions: RouteConditions = {}) =>
    placeOf(route('new', prefixes, conditions), routes);
  assert.equal(placed(['97250']), 1);
  assert.equal(placed(['97250', '44']), 2);
  assert.equal(placed(['44'], { senders: ['Acme'] }), 2);
  assert.equal(placed(['1'], { kinds: ['code'] }), 0);
  assert.equal(placed(['1'], { kinds: ['code', 'marketing'] }), 2);
  assert.equal(placeOf(route('new', ['']), routes.slice(0, 2)), 2);
});

test('the cheapest connectors come first, those of one price share, and those without a price come last', () => {
  const connectors = [
    { connector: 'unknown', priority: 0, weight: 1 },
    { connector: 'dear', priority: 0, weight: 1, price: 0.05 },
    { connector: 'cheap', priority: 9, weight: 2, price: 0.01 },
    { connector: 'too', priority: 0, weight: 1, price: 0.01 },
    { connector: 'also-unknown', priority: 0, weight: 3, price: null },
  ];
  const groupsBy = (by: StoredRoute['choice']['by']) =>
    routeOf(stored(1, [''], { connectors, choice: { by } })).shares!.map((group) =>
      group.map(({ connector, weight }) => `${connector} ${weight}`),
    );
  assert.deepEqual(groupsBy('cheapest'), [['cheap 2', 'too 1'], ['dear 1'], ['unknown 1', 'also-unknown 3']]);
  assert.deepEqual(groupsBy('priority'), [['unknown 1', 'dear 1', 'too 1', 'also-unknown 3'], ['cheap 2']]);
});

test('messages of a removed route are matched again, calls take the trunks of the prefix', () => {
  const routing = new Routing([route('default', [''])]);
  routing.update({
    routes: [route('to/97250', ['97250']), route('default', [''])],
    callRoutes: [call('44', 'first'), call('', 'second')],
    retired: [],
  });
  assert.equal(routing.routeOf(message('972501234567')), 'to/97250');
  assert.equal(routing.isRetired('to/97250'), false);
  assert.deepEqual(routing.sharesOf('voice/44'), [[{ connector: 'first', weight: 1 }]]);
  routing.update({
    routes: [route('to/972', ['972']), route('default', [''])],
    callRoutes: [call('', 'second')],
    retired: ['to/97250', 'voice/44', 'to/972'],
  });
  assert.equal(routing.routeOf(message('972501234567')), 'to/972');
  // One that was removed and added again is not retired.
  assert.deepEqual(
    ['to/97250', 'voice/44', 'to/972', 'to/7'].map((name) => [routing.has(name), routing.isRetired(name)]),
    [
      [true, true],
      [true, false],
      [true, false],
      [false, false],
    ],
  );
  assert.deepEqual(routing.sharesOf('voice/44'), [[{ connector: 'second', weight: 1 }]]);
});

test('known networks decide, and otherwise the country of the number', () => {
  const table = new RouteTable([
    route('partner', [''], { networks: ['425-01', '425-02', '262'] }),
    route('israel', ['972']),
    route('rest', ['']),
  ]);
  const takes = (to: string, network?: RoutedMessage['network']) =>
    nameOf(table.find(message(to, { network })));
  assert.equal(takes('972501234567'), 'needs');
  assert.equal(takes('972501234567', null), 'israel');
  assert.equal(takes('972501234567', { mcc: '425', mnc: '03' }), 'israel');
  for (const mnc of ['01', '1', '02', '2'])
    assert.equal(takes('972501234567', { mcc: '425', mnc }), 'partner', mnc);
  // Every network of Germany: the country of the number is enough.
  assert.equal(takes('491711234567'), 'partner');
  // A ported number keeps its prefix, and its network counts.
  assert.equal(takes('491711234567', { mcc: '232', mnc: '01' }), 'rest');
  // No network of the condition is one of its country.
  assert.equal(takes('447912345678'), 'rest');
  // A number of no country can be of any network.
  assert.equal(takes('8821612345678'), 'needs');
  const [partner, israel] = table.explain(message('972501234567', { network: null }));
  assert.deepEqual([partner!.why, israel!.why], ['networks', undefined]);
});

test('a network is looked up only where routes before the one that fits depend on it, and it can be', () => {
  const routing = new Routing([
    route('codes', ['972'], { kinds: ['code'] }),
    route('partner', ['9725'], { networks: ['425-01'] }),
    route('all', ['']),
  ]);
  const routeOf = (to: string, more?: Partial<RoutedMessage>) => routing.routeOf(message(to, more));
  assert.equal(routeOf('972501234567'), 'all', 'nothing is looked up');
  routing.lookUp((to) => to.startsWith('97250'));
  assert.equal(routeOf('972501234567'), LOOK_UP_ROUTE);
  assert.equal(routeOf('972501234567', { kind: 'code' }), 'codes');
  assert.equal(routeOf('972501234567', { network: null }), 'all');
  assert.equal(routeOf('972501234567', { network: { mcc: '425', mnc: '01' } }), 'partner');
  assert.equal(routeOf('972521234567'), 'all', 'numbers of this prefix are not looked up');
  assert.equal(routeOf('972771234567'), 'all', 'no route of its prefix has networks');
});

test('a new route with networks comes before those that would take all its messages', () => {
  const narrow = stored(2, ['972'], { conditions: { prefixes: ['972'], networks: ['425-01'] } });
  const ordered = [stored(1, ['972'])].map(routeOf);
  assert.equal(placeOf(routeOf(narrow), ordered), 0);
  assert.equal(placeOf(routeOf(stored(1, ['972'])), [routeOf(narrow)]), 1);
});
