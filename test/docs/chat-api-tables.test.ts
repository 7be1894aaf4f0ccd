import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import {
  buttonReasons,
  carouselReasons,
  type ReasonTable,
  templateReasons,
} from '../../server/channels/chat/chat-api/reasons.ts';
import { languages } from '../../server/channels/chat/languages.ts';
import { covers } from '../conformance/covers.ts';

/** docs/chat-api.md says what the code does. */
const page = await readFile(new URL('../../docs/chat-api.md', import.meta.url), 'utf8');

/** The rows of the first table below a heading, as trimmed cells. */
function rowsBelow(heading: string): string[][] {
  const start = page.indexOf(`\n${heading}\n`);
  assert.ok(start >= 0, heading);
  const [, table] = /\n\|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(page.slice(start))!;
  return table!
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const tables: [string, ReasonTable, last: number][] = [
  ['### Reasons of template messages', templateReasons, 23],
  ['### Reasons of buttons', buttonReasons, 15],
  ['### Reasons of carousels', carouselReasons, 19],
];

for (const [heading, table, last] of tables) {
  test(
    `${heading}: the table lists the codes, and every returned code has a meaning`,
    covers('chat.reasons in the docs'),
    () => {
      const rows = rowsBelow(heading).map(([reason, meaning]) => [Number(reason), meaning]);
      assert.deepEqual(
        rows,
        [...table.meanings].sort(([one], [other]) => one - other),
      );
      const given = [...Object.values(table.problems), ...Object.values(table.fields), table.tooFast];
      for (const reason of given) assert.ok(table.meanings.has(reason), String(reason));
      assert.equal(Math.max(...table.meanings.keys()), last);
    },
  );
}

test('the languages of the docs are those of the code', covers('A1.language', 'chat.languages'), () => {
  assert.deepEqual(
    rowsBelow('## Languages'),
    languages.map(({ number, code, name }) => [String(number), code, name]),
  );
});
