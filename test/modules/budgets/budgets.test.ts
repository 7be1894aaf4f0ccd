import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Budget, budgets } from '../../../server/modules/budgets/kinds.ts';
import { asPerson, type Calls, withToken } from '../../api/v1/calls.ts';
import { startReceiver } from '../../engine/events/support.ts';
import { newPhone } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { pdf } from '../media/samples.ts';

/* Budgets: every one refuses what is over it, is shown, renews, and can be changed for one account. */

const service = await startTestService();
const operator = await asPerson(service, 'operator');

interface Caller {
  readonly api: Calls;
  readonly owner: Calls;
  readonly accountId: number;
}
interface State {
  readonly budget: Budget;
  readonly count: number;
  readonly count_limit: number | null;
  readonly is_own: boolean;
  readonly renews_at: string | null;
}

let made = 0;
async function newCaller(): Promise<Caller> {
  const account = await service.addAccount({ username: `budgeted-${++made}`, timeZone: 'Asia/Jerusalem' });
  const owner = await asPerson(service, 'owner', account.id);
  return { api: withToken(service.url, account.token), owner, accountId: account.id };
}

const limit = ({ accountId }: Caller, body: object) =>
  operator.call('PATCH', `/operator/accounts/${accountId}/budgets`, body);
const stateOf = async ({ api }: Caller, budget: Budget) =>
  (await api.get<{ budgets: State[] }>('/budgets')).budgets.find((one) => one.budget === budget)!;

const rule = (recipients: object) => ({ name: 'Rule', kind: 'low-balance', recipients });
const newRule = async ({ owner }: Caller, recipients: object) =>
  (await owner.post<{ id: string }>('/alert-rules', rule(recipients))).id;

/** Callers of a budget: each uses one unit and answers whether it was refused with `over-budget`. */
type Use = (caller: Caller) => Promise<boolean>;
const isOver = async (answer: Promise<Response>): Promise<boolean> => {
  const response = await answer;
  if (response.ok) return false;
  const { error } = (await response.json()) as { error: { code: string } };
  assert.equal(error.code, 'over-budget', JSON.stringify(error));
  assert.equal(response.status, 429);
  return true;
};

/** Every place that takes from a budget, by the file that does it. */
const uses: Readonly<Record<Budget, Readonly<Record<string, Use>>>> = {
  'service-mails': {
    'server/modules/alerts/notifications.ts': async (caller) => {
      const id = await newRule(caller, { owners: true });
      await caller.owner.post(`/alert-rules/${id}/test`, { means: ['mail'] });
      const { tests } = await caller.owner.get<{ tests: { problem: string | null }[] }>(
        `/alert-rules/${id}/tests`,
      );
      return tests[0]!.problem === 'over-budget';
    },
  },
  tests: {
    'server/modules/alerts/notifications.ts': async (caller) => {
      const id = await newRule(caller, { owners: true });
      return isOver(caller.owner.fetch('POST', `/alert-rules/${id}/test`, { means: ['mail'] }));
    },
    'server/engine/events/events.ts': async ({ owner }) => {
      const { url } = await startReceiver();
      const { id } = await owner.post<{ id: string }>('/webhooks', { url, kind: 'webhook' });
      return isOver(owner.fetch('POST', `/webhooks/${id}/test`));
    },
    'server/channels/mail/campaigns.ts': ({ owner }) => {
      const from = { name: 'The shop', address: 'news@shop.example' };
      const mail = { from, subject: 'Hello', text: 'Hello', to: ['someone@example.com'] };
      return isOver(owner.fetch('POST', '/mail/campaigns/test', mail));
    },
  },
  'automatic-replies': {
    'server/modules/conversations/replies.ts': async ({ accountId, api, owner }) => {
      const [phone, number] = [
        `97250777${String(++made).padStart(4, '0')}`,
        `97255200${String(made).padStart(4, '0')}`,
      ];
      await service.appContext.sources.approve(accountId, number, { incoming: true });
      await owner.post('/conversation-rules', {
        name: `Rule ${made}`,
        senders: [number],
        reply_text: 'Hello',
      });
      await service.sendFromPhone(phone, number, 'hi');
      return waitFor('the reply is settled', async () => {
        const { conversations } = await api.get<{ conversations: { id: string }[] }>(
          `/conversations?search=${phone}`,
        );
        const [found] = conversations;
        if (!found) return undefined;
        const { items } = await api.get<{ items: { kind: string; failed: string | null }[] }>(
          `/conversations/${found.id}/timeline`,
        );
        const settled = items.find(({ kind, failed }) => kind === 'sent' || failed !== null);
        return settled && { isOver: settled.failed === 'over-budget' };
      }).then(({ isOver }) => isOver);
    },
  },
  files: {
    'server/modules/media/media.ts': ({ owner }) =>
      isOver(
        owner.fetch('POST', '/media?kind=document', pdf.toString('latin1'), {
          'content-type': 'application/octet-stream',
        }),
      ),
  },
  verifications: {
    'server/modules/alerts/contacts.ts': ({ api }) =>
      isOver(api.fetch('POST', '/alert-rules', rule({ mails: [`stranger-${++made}@example.com`] }))),
    'server/engine/messages/phone-verifier.ts': ({ owner }) =>
      isOver(owner.fetch('POST', '/sources/verify', { phones: [newPhone()] })),
  },
};

/** Places whose cases are in other tests. */
const testedElsewhere: Readonly<Partial<Record<Budget, Readonly<Record<string, string>>>>> = {
  files: {
    'server/modules/media/fetches.ts': 'test/modules/budgets/files.test.ts',
    'server/modules/audience/csv-jobs.ts': 'test/modules/budgets/files.test.ts',
    'server/modules/data-subjects/requests.ts': 'test/modules/budgets/files.test.ts',
    'server/modules/pictures/pictures.ts': 'test/modules/pictures/pictures.test.ts',
  },
  verifications: { 'server/channels/mail/confirmation.ts': 'test/modules/budgets/questions.test.ts' },
};

for (const budget of budgets) {
  for (const [file, use] of Object.entries(uses[budget])) {
    test(`the budget ${budget} refuses what is over it (${file})`, async () => {
      const caller = await newCaller();
      const { people } = service.appContext.people;
      const { accountId } = caller;
      await people.add({ accountId, username: `owner-${++made}@example.com`, name: 'Owner', role: 'owner' });
      await limit(caller, { budget, count: 1 });
      assert.equal(await use(caller), false, 'the first is within the budget');
      const after = await stateOf(caller, budget);
      assert.deepEqual([after.count, after.count_limit, after.is_own], [1, 1, true]);
      assert.equal(await use(caller), true, 'the second is over it');
      assert.equal((await stateOf(caller, budget)).count, 1, 'what was refused is not counted');
      await limit(caller, { budget, count: 0 });
      assert.equal(await use(caller), false, 'without a limit it goes on');
      await limit(caller, { budget, count: null });
      assert.equal((await stateOf(caller, budget)).is_own, false);
    });
  }
}

test('every place in the server that takes from a budget has its case here', () => {
  const root = join(import.meta.dirname, '../../..');
  const found = new Map<string, Set<string>>();
  for (const path of globSync('server/**/*.ts', { cwd: root })) {
    const text = readFileSync(join(root, path), 'utf8');
    for (const [, , budget] of text.matchAll(/\b(take|tryTake|takeSome)\(\s*[^()]*?'([a-z-]+)'/g)) {
      if ((budgets as readonly string[]).includes(budget!)) {
        found.set(budget!, (found.get(budget!) ?? new Set()).add(path));
      }
    }
  }
  for (const budget of budgets) {
    const elsewhere = testedElsewhere[budget] ?? {};
    const tested = [...Object.keys(uses[budget]), ...Object.keys(elsewhere)];
    assert.deepEqual([...(found.get(budget) ?? [])].sort(), tested.sort(), budget);
    for (const [path, other] of Object.entries(elsewhere)) {
      assert.ok(readFileSync(join(root, other), 'utf8').includes(path), `${other} has a case for ${path}`);
    }
  }
});

test('concurrent uses stay within the limit', async () => {
  const caller = await newCaller();
  await limit(caller, { budget: 'verifications', count: 5 });
  const use = uses.verifications['server/modules/alerts/contacts.ts']!;
  const results = await Promise.all(Array.from({ length: 20 }, () => use(caller)));
  assert.equal(results.filter((over) => !over).length, 5);
});

test('only the operator changes the budgets of an account, and the audit log has it', async () => {
  const caller = await newCaller();
  const path = `/operator/accounts/${caller.accountId}/budgets`;
  assert.equal((await caller.owner.fetch('PATCH', path, { budget: 'tests', count: 0 })).status, 403);
  await limit(caller, { budget: 'tests', count: 7 });
  const [entry] = await service.sql<{ details: unknown }[]>`
    SELECT after AS details FROM audit_log WHERE action LIKE '%/budgets' AND after IS NOT NULL ORDER BY id DESC LIMIT 1`;
  assert.match(JSON.stringify(entry), /tests/);
});

test('a budget renews at midnight in the time zone of the account', async () => {
  const caller = await newCaller();
  await limit(caller, { budget: 'verifications', count: 1 });
  const use = uses.verifications['server/modules/alerts/contacts.ts']!;
  assert.equal(await use(caller), false);
  assert.equal(await use(caller), true);
  const { renews_at } = await stateOf(caller, 'verifications');
  assert.match(renews_at!, /T2[12]:00:00\.000Z$/);
  const { appContext } = service;
  await service.advance(Math.ceil((Date.parse(renews_at!) - appContext.clock.now()) / 1_000) + 1);
  assert.equal((await stateOf(caller, 'verifications')).count, 0);
  assert.equal(await use(caller), false);
});
