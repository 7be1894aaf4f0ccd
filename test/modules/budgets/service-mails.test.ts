import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ServiceMail } from '../../../server/modules/alerts/means/mail.ts';
import { checkMailBudget } from '../../../server/modules/budgets/mail-budget.ts';

/* Emails in the name of the service: none is written without a budget, and no other code has a way to the relay. */

const root = join(import.meta.dirname, '../../..');
const sources = globSync('server/**/*.ts', { cwd: root }).map(
  (path) => [path, readFileSync(join(root, path), 'utf8')] as const,
);
const filesWith = (pattern: RegExp) =>
  sources.flatMap(([path, text]) => (pattern.test(text) ? [path] : [])).sort();

/** Every file that writes such emails, with the budgets that its emails name. */
const writers: Readonly<Record<string, readonly string[]>> = {
  'server/channels/mail/confirmation.ts': ["'verifications'"],
  'server/modules/alerts/means/mail.ts': ["exempt: 'operator'", "'service-mails'", "'verifications'"],
  'server/modules/invitations/invitations.ts': ["exempt: 'operator'", "'verifications'"],
};

test('every file that writes emails of the service is listed and names its budgets', () => {
  assert.deepEqual(filesWith(/\bsend\(pass, \{|\boutbox\.add\(tx, pass/), Object.keys(writers));
  for (const [path, budgets] of Object.entries(writers)) {
    const [, text] = sources.find(([file]) => file === path)!;
    for (const budget of budgets) assert.ok(text.includes(budget), `${path} names ${budget}`);
  }
});

test('every named budget is used', () => {
  const named = new Set(Object.values(writers).flat());
  for (const budget of named) {
    if (budget.startsWith('exempt')) continue;
    const takers = filesWith(new RegExp(`\\b(take|tryTake|takeSome)\\(\\s*[^()]*?${budget}`));
    assert.ok(takers.length > 0, budget);
  }
});

test('only the outbox, the service mails and the connector hand emails to a relay', () => {
  assert.deepEqual(filesWith(/\bnew RelayPool\(/), [
    'server/channels/mail/service-mails.ts',
    'server/protocols/smtp/connector.ts',
  ]);
  assert.deepEqual(filesWith(/: SendServiceMail \{/), ['server/channels/mail/service-mails.ts']);
});

test('an email without a budget does not compile', () => {
  const mail = { id: '1', to: 'a@example.com', subject: '', text: '', language: 'en' } as const;
  // @ts-expect-error: the budget is missing.
  const without: ServiceMail = mail;
  // @ts-expect-error: there is no such budget.
  const unknown: ServiceMail = { ...mail, budget: 'whatever' };
  // @ts-expect-error: a reason of one's own is none.
  const excused: ServiceMail = { ...mail, budget: { exempt: 'urgent' } };
  assert.equal([without, unknown, excused].length, 3);
});

test('an account cannot use the exemption of the operator', () => {
  assert.throws(() => checkMailBudget({ isOperators: false }, { exempt: 'operator' }));
  assert.throws(() => checkMailBudget({ isOperators: true }, 'service-mails'));
  checkMailBudget({ isOperators: true }, { exempt: 'operator' });
  checkMailBudget({ isOperators: false }, 'verifications');
});
