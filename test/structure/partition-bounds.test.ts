import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tables } from '../support/tables.ts';

const SOURCE = join(import.meta.dirname, '../../server');
const names = tables.partitioned.map(({ table }) => table).join('|');
/** The beginning of a statement that changes or locks rows of a partitioned table. */
const changes = new RegExp(
  `\\b(?:UPDATE (?:${names})\\b|DELETE FROM (?:${names})\\b|SELECT\\b[^\`]*\\bJOIN (?:${names})\\b)`,
  'g',
);
/** Its join with other rows. */
const joins = /\b(?:FROM|USING|JOIN) (?:unnest|[a-z_]+ [a-z]\b|\$\{)/;
/** A bound of a key by which tables are partitioned, as a plain parameter. */
const bound = /\b(?:id|message_id|number)\s*(?:>=|<=|>|<)\s*\$\{/;

/** Removes what is in parentheses: lists and sub-selects, which are no joins. */
function outside(statement: string): string {
  const shorter = statement.replaceAll(/\([^()]*\)/g, '');
  return shorter === statement ? statement : outside(shorter);
}

/** Returns the statements of a source: each from its first word to the end of its template. */
function statementsOf(source: string): string[] {
  return Array.from(source.matchAll(changes), ({ index }) => {
    const rest = source.slice(index);
    const end = /`[;,)]*\s*\n/.exec(rest);
    return outside(rest.slice(0, end?.index ?? rest.length));
  });
}

test('statements that join partitioned tables and change or lock their rows have no plain bounds (isWithin)', () => {
  let seen = 0;
  const wrong = globSync('**/*.ts', { cwd: SOURCE }).flatMap((path) =>
    statementsOf(readFileSync(join(SOURCE, path), 'utf8')).flatMap((statement) => {
      const isSelect = statement.startsWith('SELECT');
      if (isSelect && !/\bFOR (?:NO KEY )?UPDATE\b/.test(statement)) return [];
      if (!joins.test(statement.slice(isSelect ? 0 : 7))) return [];
      seen++;
      return bound.test(statement) ? [`${path}: ${statement.slice(0, 80)}`] : [];
    }),
  );
  assert.ok(seen >= 6, `${seen} statements`);
  assert.deepEqual(wrong, []);
});
