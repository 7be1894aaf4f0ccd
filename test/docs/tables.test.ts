import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { done, FAULT, statusCodes } from '../../server/api/sms/status-codes.ts';
import { statusMeanings } from '../../server/api/sms/status-meanings.ts';
import { settingsTable } from '../../server/commands/settings.ts';
import { knownStatuses } from '../../server/kit/statuses.ts';
import { checklist } from '../../server/run/doctor/checks.ts';
import { covers } from '../conformance/covers.ts';

const page = (name: string) => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

/** The rows of the first Markdown table below a heading, as trimmed cells. */
function tableBelow(text: string, heading: string): string[][] {
  const lines = text.slice(text.indexOf(`\n## ${heading}\n`)).split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  const rows: string[][] = [];
  for (const line of lines.slice(first + 2)) {
    if (!line.startsWith('|')) break;
    rows.push(
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  }
  return rows;
}

test(
  'docs/settings.md has every setting, with its default and meaning',
  covers('docs.settings'),
  async () => {
    assert.ok((await page('settings.md')).includes(settingsTable()), 'make it anew with `carillon settings`');
  },
);

test('docs/production.md has every check of `carillon doctor`', async () => {
  assert.ok(
    (await page('production.md')).includes(checklist()),
    'write there what server/run/doctor/checks.ts says',
  );
});

test('every request status that the code gives is in the docs', covers('docs.statuses'), async () => {
  const documented = new Set(
    tableBelow(await page('sms-api.md'), 'Request statuses').flatMap(([cell]) =>
      cell!.split('/').map(Number),
    ),
  );
  for (const status of [...Object.values(statusCodes), ...Object.values(done), FAULT]) {
    assert.ok(documented.has(status), `status ${status} is not in docs/sms-api.md`);
  }
});

test('a request status means in the docs what it means at /docs', covers('docs.statuses'), async () => {
  for (const [codes, meaning] of tableBelow(await page('sms-api.md'), 'Request statuses')) {
    // A row of several says of each what only the row makes clear.
    if (!codes!.includes('/')) assert.equal(statusMeanings.get(Number(codes)), meaning);
  }
});

test(
  'the delivery statuses of the docs are those of the code, in both languages',
  covers('docs.statuses'),
  async () => {
    const documented = new Map<number, string[]>();
    for (const [codes, en, he] of tableBelow(await page('sms-api.md'), 'Delivery statuses')) {
      for (const part of codes!.split(/[,/]/)) {
        const [from, to] = part.split(' to ').map(Number);
        for (let code = from!; code <= (to ?? from!); code++) {
          // A row for two codes has two texts: "No permission / Unknown error".
          const at = codes!.includes('/') ? codes!.split('/').indexOf(part) : undefined;
          const pick = (text: string) => (at === undefined ? text : text.split(' / ')[at]!.trim());
          documented.set(code, [pick(en!), pick(he!)]);
        }
      }
    }
    assert.deepEqual(
      [...documented].sort(([a], [b]) => a - b),
      [...knownStatuses].map(([code, texts]) => [code, [...texts]]).sort(([a], [b]) => Number(a) - Number(b)),
    );
  },
);
