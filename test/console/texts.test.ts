import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { doneOf } from '../../console/src/features/campaigns/campaign-counts.ts';
import { auditActions as enActions } from '../../console/src/i18n/audit-actions.en.ts';
import { auditActions as heActions } from '../../console/src/i18n/audit-actions.he.ts';
import * as en from '../../console/src/i18n/en.ts';
import * as he from '../../console/src/i18n/he.ts';
import { percentOf } from '../../console/src/i18n/percent.ts';
import { routeRules } from '../support/access-table.ts';
import { terms } from './terms.ts';

/*
 * The words of the console (docs/glossary.md): one word for one thing, in both languages. What a compiler cannot see: that a
 * text was not translated, and words that the glossary has others for.
 */

/** Every text with its path: functions by what they are made of. */
function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, String(value)]];
  return Object.entries(value as object).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));
}

/** Every text of a language, also those that are fetched with their pages. */
async function everyText(language: 'en' | 'he'): Promise<[path: string, text: string][]> {
  const folder = join(import.meta.dirname, '../../console/src');
  const modules = await Promise.all(
    globSync(`**/*.${language}.ts`, { cwd: folder }).map(
      async (name) => [name, await import(join(folder, name))] as const,
    ),
  );
  return modules.flatMap(([name, module]) => textsOf({ ...module }, name));
}

for (const language of ['en', 'he'] as const) {
  test(`texts in ${language} use the words of the glossary`, async () => {
    const all = await everyText(language);
    assert.ok(all.length > 1_000);
    const banned = terms.flatMap(({ notEn, notHe }) => (language === 'en' ? notEn : notHe) ?? []);
    const wrong = all.filter(([, text]) => banned.some((pattern) => pattern.test(text)));
    assert.deepEqual(wrong, []);
  });
}

test('every Hebrew text is in Hebrew, but for names that both languages share', async () => {
  // Fields of OpenID Connect have the names that the pages of providers give them.
  const shared =
    /^(Carillon|Kannel|Jasmin|Twilio|SMS|HTML|HTTP|Webhooks?|API|null|\/v1|Issuer|Client ID|Client secret|Scopes|Redirect URI|Back-channel logout URI|Claim|GSM 03\.38|Latin-1)$/;
  const untranslated = (await everyText('he')).filter(([, text]) => {
    const words = text.replace(/^\([^)]*\) => /, '').replaceAll(/\$\{[^}]*\}/g, '');
    return /[a-z]{3}/i.test(words) && !/[\u0590-\u05ff]/.test(words) && !shared.test(words);
  });
  assert.deepEqual(untranslated, []);
});

test('every code that the service refuses with has a text in both languages', () => {
  const source = readFileSync(join(import.meta.dirname, '../../server/kit/errors.ts'), 'utf8');
  const refusals = [...source.matchAll(/^ {2}\| '([\w-]+)'/gm)].map(([, code]) => code!);
  assert.ok(refusals.length > 60);
  for (const { common } of [en, he]) {
    const { codes, reasons } = common.errors;
    // What `bad-field` and `not-now` mean is said by their reason.
    assert.deepEqual(
      refusals.filter((code) => code !== 'bad-field' && code !== 'not-now' && !codes[code]),
      [],
    );
    assert.deepEqual(Object.keys(reasons), Object.keys(en.common.errors.reasons));
  }
});

test('everything that the audit log has is said in words, in both languages', () => {
  const audited = Object.entries(routeRules).flatMap(([action, { audit }]) =>
    audit === 'none' ? [] : [action],
  );
  assert.ok(audited.length > 100);
  for (const actions of [enActions, heActions]) {
    assert.deepEqual(
      audited.filter((action) => !actions[action]),
      [],
    );
    assert.deepEqual(Object.keys(actions), Object.keys(enActions));
  }
});

test('no share that is not nothing or all is shown as 0 % or 100 %', () => {
  const shares: [part: number, of: number, shown: string][] = [
    [0, 0, '0%'],
    [0, 60_000, '0%'],
    [3, 60_000, '<0.01%'],
    [3, 5_003, '0.06%'],
    [5_000, 5_003, '99.94%'],
    [1, 100, '1%'],
    [984, 1_000, '98%'],
    [299_939, 300_000, '99.98%'],
    [299_999, 300_000, '99.99%'],
    [60_000, 60_000, '100%'],
  ];
  for (const [part, of, shown] of shares) {
    for (const language of ['en', 'he'])
      assert.equal(percentOf(part, of, language), shown, `${part} of ${of}`);
  }
});

test('progress of a campaign only grows while its lists are expanded', () => {
  const counted = { waiting: 100, submitted: 300, delivered: 50, read: 5, failed: 4, cancelled: 1 };
  // Messages are created before they are counted.
  const running = { state: 'running', unmade: 600, progress: counted };
  const seen = [500, 900, 1_400].map((messages) => doneOf({ ...running, messages } as never));
  assert.deepEqual(seen, [360, 360, 360]);
  assert.equal(doneOf({ ...running, progress: null }), 0);
  assert.equal(doneOf({ ...running, state: 'cancelled' }), 960);
});
