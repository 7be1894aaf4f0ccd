import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { channels } from '../channels/index.ts';
import { restoreBackup, writeBackup } from '../database/backup.ts';
import { noteBackup } from '../database/last-backup.ts';
import { readConfig } from '../kit/config.ts';
import { copyRecords, erasuresFolderOf } from '../modules/data-subjects/erasure-records.ts';
import { mediaFolderOf } from '../modules/media/open.ts';
import { tablesOf } from '../run/tables.ts';
import { keyFilePath } from '../secrets/key-file.ts';
import { CommandError, type Json, print, withAppContext } from './with-app-context.ts';

const EXTERNAL =
  'the database of DATABASE_URL is not embedded: back it up and restore it with its own tools (docs/operating.md, "Backups")';

/** `backup` and `restore`: of the embedded database with the folder of media; `note-backup`: of others. */
export function backupCommands(program: Command): void {
  program
    .command('backup <file>')
    .description(
      'writes the embedded database and the files of chat messages into a tar.gz while the service runs',
    )
    .action(backUp);
  program
    .command('note-backup <place>')
    .description(
      'records that another program has just finished a backup of a database of DATABASE_URL, for alerts and the doctor',
    )
    .action(note);
  program
    .command('restore <file>')
    .description('restores a backup into an empty DATA_DIR; then start the service')
    .option(
      '--erasures <folder>',
      'records of erasures that the service repeats when it starts: ERASURES_DIR of the service that was backed up',
    )
    .action(restore);
}

async function backUp(file: string, { json }: Json): Promise<void> {
  // Not in one transaction: it takes as long as the disk does.
  await withAppContext(
    async ({ database, tables, config, secretKeys, clock }) => {
      if (!database.embedded) throw new CommandError(EXTERNAL);
      const { DATA_DIR: dataDir } = config;
      const report = await writeBackup(
        { tables, sql: database.sql, dataDir, mediaDir: mediaFolderOf(config) },
        file,
      );
      await noteBackup(database.sql, { at: clock.now(), place: `${hostname()}:${resolve(file)}` });
      const size = (report.bytes / 1e6).toFixed(1);
      const key = secretKeys.file?.path ?? 'SECRET_KEY';
      print(
        json,
        report,
        `${report.files} files, ${size} MB in ${file}\nThe key of the secrets (${key}) is not in it: keep a copy in another place.`,
      );
    },
    { steps: true },
  );
}

async function note(place: string, { json }: Json): Promise<void> {
  await withAppContext(async ({ database, clock }) => {
    const backup = { at: clock.now(), place };
    await noteBackup(database.sql, backup);
    const at = new Date(backup.at).toISOString();
    print(json, { at, place }, `the backup in ${place} ended at ${at}`);
  });
}

async function restore(file: string, { json, erasures }: Json & { erasures?: string }): Promise<void> {
  const config = readConfig(process.env, channels);
  if (config.DATABASE_URL !== undefined) throw new CommandError(EXTERNAL);
  const { DATA_DIR: dataDir } = config;
  if (erasures !== undefined && !existsSync(erasures))
    throw new CommandError(`there is no folder ${erasures}`);
  const manifest = await restoreBackup(
    { tables: tablesOf(channels), dataDir, mediaDir: mediaFolderOf(config) },
    file,
  );
  const folder = erasuresFolderOf(config);
  const records = await copyRecords(erasures ?? folder, folder);
  const repeated =
    erasures === undefined && config.ERASURES_DIR === undefined
      ? 'Later erasures are missing in it: pass their records with --erasures, or set ERASURES_DIR, before you start the service.'
      : `When the service starts, it repeats those of ${records} recorded erasures that came after that.`;
  print(
    json,
    { ...manifest, erasures: records },
    `restored into ${dataDir}, as it was at the backup of ${manifest.startedAt}.\n${repeated}\nCopy the key of that time to ${keyFilePath(dataDir)}, or set SECRET_KEY, and start the service.`,
  );
}
