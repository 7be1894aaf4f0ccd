import type { Sql } from '../../server/database/connection.ts';

/** Returns the schema of a database as lines of text: columns with types and defaults, constraints, indexes, storage options. */
export async function dumpSchema(sql: Sql): Promise<string[]> {
  const schema = await sql<{ line: string }[]>`
    SELECT format('%s %s %s', c.relkind, c.relname, array_to_string(c.reloptions, ',')) AS line
      FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL SELECT format('%s.%s %s %s %s', a.attrelid::regclass, a.attname, format_type(a.atttypid, a.atttypmod),
        a.attnotnull, pg_get_expr(d.adbin, d.adrelid))
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL SELECT format('%s %s', conname, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    ORDER BY 1`;
  return schema.map(({ line }) => line);
}

/** Returns the schema and the rows of every table as lines of text; two dumps of an unchanged database are equal. */
export async function dump(sql: Sql): Promise<{ schema: string[]; rows: string[] }> {
  const tables = await sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`;
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await sql.unsafe<{ row: string }[]>(`SELECT t::text AS row FROM "${name}" t ORDER BY 1`);
    rows.push(...found.map(({ row }) => `${name} ${row}`));
  }
  return { schema: await dumpSchema(sql), rows };
}
