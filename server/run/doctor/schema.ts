import { describeReleases, migrationPlan } from '../../database/migration-plan.ts';
import { type AnySchemaCheck, fail, ok, warn } from './check.ts';

/** Whether the schema of the database is the one of this version. */
export const schemaCheck: AnySchemaCheck = {
  name: 'schema',
  title: 'Schema of the database',
  about:
    'Before an upgrade, look at `carillon migrate --dry-run`: it lists the migrations, and the versions that can run on the new schema.',
  anySchema: true,
  run({ database: { schema } }) {
    const { last, known, missing, required } = schema;
    if (required > known) {
      const found = `the schema is that of migration ${last}, and this version knows ${known}`;
      return Promise.resolve([fail(found, `Start a version that knows migration ${required}.`)]);
    }
    if (missing.length > 0) {
      const plan = migrationPlan(schema);
      const names = missing.map(({ number, name }) => `${String(number).padStart(4, '0')} ${name}`);
      const found = `the schema is that of migration ${last}; this version brings ${names.length} more: ${names.join(', ')}`;
      const after = describeReleases(plan).join('; ');
      const todo = `Start this version, or run \`carillon migrate\`. Then: ${after}.`;
      return Promise.resolve([warn(found, todo)]);
    }
    if (last > known) {
      const found = `the schema is that of a later version (migration ${last}), which this version can run on`;
      return Promise.resolve([warn(found, 'Complete the upgrade, or roll back on purpose.')]);
    }
    return Promise.resolve([ok(`the schema is that of this version (migration ${last})`)]);
  },
};
