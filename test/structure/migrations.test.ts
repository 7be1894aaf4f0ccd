import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statementsIn } from '../../server/database/migrate.ts';
import { readMigrations } from '../../server/database/migration-files.ts';
import { history } from '../upgrade/release.ts';

/*
 * The release before runs beside this version while processes are replaced one after the other. So migrations since then only add,
 * unless they say which version they require (docs/operating.md, "Upgrades").
 */

/** What a program that does not know of it stumbles over. */
const breaking: readonly (readonly [RegExp, string])[] = [
  [/\bDROP (TABLE|COLUMN|VIEW|FUNCTION|TYPE)\b/i, 'drops what it reads'],
  [/\bRENAME\b/i, 'renames what it reads'],
  [/\bALTER COLUMN \w+ (SET DATA )?TYPE\b/i, 'changes the type of what it reads'],
  [/\bSET NOT NULL\b/i, 'requires what it does not write'],
  [/\bDROP DEFAULT\b/i, 'requires what it does not write'],
];

const newColumn = /\bADD COLUMN\b/i;
const required = /\bNOT NULL\b/i;
const filled = /\b(DEFAULT|GENERATED)\b/i;

/** What a statement does to a program of the version before; nothing when it only adds. */
function breaks(statement: string): string[] {
  const found = breaking.filter(([pattern]) => pattern.test(statement)).map(([, why]) => why);
  const actions = /^ALTER TABLE\b/i.test(statement) ? statement.split(/,\s*(?=(?:ADD|ALTER|DROP)\b)/i) : [];
  const unfilled = actions.some(
    (action) => newColumn.test(action) && required.test(action) && !filled.test(action),
  );
  return unfilled ? [...found, 'requires what it does not write'] : found;
}

test('migrations since the last release only add, or say which version they require', async () => {
  const since = (await readMigrations()).filter(({ number }) => number > history.migration);
  assert.ok(since.length > 0);
  const found = since
    .filter(({ requires }) => requires === 0)
    .flatMap(({ name, statements }) =>
      statementsIn(statements).flatMap((statement) =>
        breaks(statement).map((why) => `${name} ${why}: ${statement}`),
      ),
    );
  assert.deepEqual(found, []);
});

test('what would break the version before is seen', () => {
  for (const statement of [
    'ALTER TABLE a DROP COLUMN b',
    'ALTER TABLE a RENAME COLUMN b TO c',
    'ALTER TABLE a ALTER COLUMN b TYPE bigint',
    'ALTER TABLE a ADD COLUMN b text NOT NULL',
    'ALTER TABLE a ADD COLUMN b text DEFAULT 1, ADD COLUMN c text NOT NULL',
  ])
    assert.equal(breaks(statement).length, 1, statement);
  for (const statement of [
    'ALTER TABLE a ADD COLUMN b text',
    "ALTER TABLE a ADD COLUMN b text NOT NULL DEFAULT ''",
    "ALTER TABLE a ADD COLUMN b text DEFAULT '' NOT NULL",
    'CREATE TABLE a (b text NOT NULL)',
  ])
    assert.deepEqual(breaks(statement), [], statement);
});
