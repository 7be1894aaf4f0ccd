import { channels } from '../channels/index.ts';
import { describeReleases, type MigrationPlan, migrationPlan } from '../database/migration-plan.ts';
import { openDatabase } from '../database/open.ts';
import { refuseNewerSchema } from '../database/schema-state.ts';
import { readConfig } from '../kit/config.ts';
import { createLogger } from '../kit/observability/log.ts';
import { tablesOf } from '../run/tables.ts';

interface MigrateOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `carillon migrate`: brings the schema up to date, or with `dryRun` prints what would change and changes nothing. */
export async function migrateCommand({ dryRun = false, json }: MigrateOptions): Promise<void> {
  const config = readConfig(process.env, channels);
  const log = createLogger(config.LOG_LEVEL === 'info' ? 'warn' : config.LOG_LEVEL);
  const database = await openDatabase(config, {
    tables: tablesOf(channels),
    attach: true,
    schema: dryRun ? 'inspect' : 'migrate',
    log,
  });
  await database.close();
  refuseNewerSchema(database.schema);
  const plan = migrationPlan(database.schema);
  if (json) console.log(JSON.stringify({ dry_run: dryRun, ...plan }));
  else console.log(describePlan(plan).join('\n'));
}

const describePlan = (plan: MigrationPlan): string[] =>
  plan.migrations.length === 0
    ? [`the schema is up to date (migration ${plan.to})`]
    : [
        `would change the schema from migration ${plan.from} to ${plan.to}:`,
        ...plan.migrations.map(({ number, name }) => `  ${String(number).padStart(4, '0')} ${name}`),
        'afterwards:',
        ...describeReleases(plan).map((line) => `  ${line}`),
      ];
