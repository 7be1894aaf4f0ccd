import assert from 'node:assert/strict';
import { test } from 'node:test';
import { open } from '../../server/run/core.ts';
import { defineModule } from '../../server/run/define-module.ts';
import { modules } from '../../server/run/module-list.ts';
import type { RunContext } from '../../server/run/services.ts';

/* Modules that do not fit together keep the service from starting. */

const context = { owner: 'test' } as RunContext;
/** Opens a list that lacks most services, which the types refuse. */
const openSome = (some: readonly unknown[]) => open(some as never, context);

test('a module gets the values and services that it needs, and no others', async () => {
  const names: string[][] = [];
  const one = defineModule({
    name: 'one',
    needs: ['owner'],
    open(needs) {
      names.push(Object.keys(needs));
      return {};
    },
  });
  await openSome([one]);
  assert.deepEqual(names, [['owner']]);
});

test('a module that needs a service of a later module does not open', async () => {
  const early = defineModule({ name: 'early', needs: ['links'], open: () => ({}) });
  await assert.rejects(openSome([early]), /the module early needs links, which opens later/);
});

test('a service that two modules give is refused', async () => {
  const asksRemoval = () => false;
  const give = (name: string) => defineModule({ name, needs: [], open: () => ({ asksRemoval }) });
  await assert.rejects(openSome([give('one'), give('two')]), /the module two gives asksRemoval/);
});

test('no two modules have the same name', () => {
  const names = modules.map(({ name }) => name);
  assert.deepEqual([...new Set(names)], names);
});
