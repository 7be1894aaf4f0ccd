import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionsOf } from '../../../server/modules/alerts/conditions/index.ts';
import { asPerson } from '../../api/v1/calls.ts';
import { startTestService } from '../../support/service.ts';
import type { Rule } from './support.ts';

/* Kinds of alert rules, as the service tells them to the console. */

interface Kinds {
  readonly kinds: readonly {
    readonly kind: string;
    readonly thresholds: object;
    readonly for_minutes: number;
  }[];
  readonly clear_minutes: number;
  readonly pause_minutes: number;
}

const service = await startTestService();
const operator = await asPerson(service, 'operator');

test('kinds come with their thresholds and defaults, for accounts and for the operator', async () => {
  const account = await service.addAccount({ username: 'alerted' }, 100);
  const owner = await asPerson(service, 'owner', account.id);
  const of = async (person: typeof owner, path: string) => person.get<Kinds>(path);
  const ofAccount = await of(owner, '/alert-kinds');
  const ofOperator = await of(operator, '/operator/alert-kinds');
  for (const [{ kinds }, isOperator] of [
    [ofAccount, false],
    [ofOperator, true],
  ] as const)
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      conditionsOf(isOperator).map(({ kind }) => kind),
    );
  assert.deepEqual(
    ofAccount.kinds.find(({ kind }) => kind === 'low-balance'),
    {
      kind: 'low-balance',
      thresholds: { below: '100', subscribers: true, active_only: false },
      for_minutes: 0,
    },
  );
  for (const [person, path, { kinds, clear_minutes, pause_minutes }] of [
    [owner, '/alert-rules', ofAccount],
    [operator, '/operator/alert-rules', ofOperator],
  ] as const) {
    for (const { kind, thresholds, for_minutes } of kinds) {
      const rule = await person.post<Rule & Kinds['kinds'][number] & Kinds>(path, { name: 'Defaults', kind });
      assert.deepEqual(
        [rule.thresholds, rule.for_minutes, rule.clear_minutes, rule.pause_minutes],
        [thresholds, for_minutes, clear_minutes, pause_minutes],
        kind,
      );
    }
  }
});
