import type { Command } from 'commander';
import { livingProcesses } from '../database/processes.ts';
import { ErasureRecords, erasuresFolderOf } from '../modules/data-subjects/erasure-records.ts';
import { countSealed } from '../secrets/reseal.ts';
import { rotateSecrets } from '../secrets/rotate.ts';
import { describeLost, discardLostSecrets, findLostSecrets, type LostSecrets } from './lost-secrets.ts';
import type { Json } from './with-app-context.ts';
import { CommandError, print, withAppContext } from './with-app-context.ts';

/** Longer than a killed process counts as running. */
const PATIENCE_MS = 75_000;

/** `secrets`: the key that secrets in the database are encrypted with. */
export function secretCommands(program: Command): void {
  const secrets = program
    .command('secrets')
    .description('manages the encryption of the secrets in the database');
  secrets
    .command('status')
    .description('lists the keys, what is encrypted with each, and the keys of running processes')
    .action(status);
  secrets
    .command('rotate')
    .description(
      'encrypts every secret with the newest key: SECRET_KEY, or a new one in the key file; processes may run',
    )
    .action(rotate);
  secrets
    .command('lost')
    .description(
      'after the loss of the key: lists secrets that cannot be decrypted, and the consequences of discarding them',
    )
    .action(lost);
  secrets
    .command('discard')
    .description(
      'after the loss of the key: discards secrets that cannot be decrypted, so that the service starts',
    )
    .option('--yes', 'confirms; discarded secrets cannot be recovered')
    .action(discard);
}

async function status(options: Json): Promise<void> {
  await withAppContext(async ({ database: { sql }, tables, process, secretKeys }) => {
    const [newest, ...others] = secretKeys.source.keys().map(({ id }) => id);
    const processes = (await livingProcesses(sql)).filter(({ boot }) => boot !== process.boot);
    const values = await countSealed(sql, tables.sealedColumns);
    const left = values.filter(({ keyId }) => keyId !== newest).reduce((sum, { count }) => sum + count, 0);
    const shown = {
      source: secretKeys.file?.path ?? 'SECRET_KEY',
      newest,
      others,
      values: values.map(({ column, keyId: key, count }) => ({ column, key, count })),
      left,
      processes: processes.map(({ number, keyIds: keys }) => ({ number, keys })),
    };
    const lines = [
      `key ${newest} (${shown.source}) encrypts${others.length > 0 ? `; ${others.join(', ')} can be read` : ''}`,
      ...shown.values.map(({ column, key, count }) => `${column}  ${count} under ${key}`),
      ...shown.processes.map(({ number, keys }) => `process ${number} encrypts with ${keys[0] ?? 'no key'}`),
      left === 0
        ? 'nothing is left under another key'
        : `${left} left under other keys: run \`carillon secrets rotate\``,
    ];
    print(options.json, shown, lines.join('\n'));
  });
}

async function rotate(options: Json): Promise<void> {
  await withAppContext(
    async ({ database: { sql }, tables, process, secretKeys, secrets, config }) => {
      const { keyId, resealed, retired } = await rotateSecrets({
        ...secretKeys,
        sql,
        columns: tables.sealedColumns,
        boot: process.boot,
        patienceMs: PATIENCE_MS,
      });
      await new ErasureRecords({ folder: erasuresFolderOf(config), secrets }).reseal();
      const place = secretKeys.file ? secretKeys.file.path : 'SECRET_KEY';
      const advice =
        retired.length === 0
          ? ''
          : secretKeys.file
            ? `\n${retired.join(', ')} is no longer used: the next rotation removes it from the file. Copy the file again; keep the old copy for as long as you keep older backups`
            : `\n${retired.join(', ')} is no longer used: remove it from SECRET_KEY_PREVIOUS; keep it for as long as you keep older backups`;
      print(
        options.json,
        { key: keyId, resealed, retired },
        `${resealed} secrets are now encrypted with the key ${keyId} (${place}); nothing is left under another key${advice}`,
      );
    },
    { steps: true },
  );
}

const linesOf = (lost: readonly LostSecrets[]) =>
  lost.map(({ column, count, consequence }) => `${column}  ${count}: ${consequence}`);

async function lost(options: Json): Promise<void> {
  await withAppContext(
    async (appContext) => {
      const found = await describeLost(await findLostSecrets(appContext));
      const lines =
        found.length === 0
          ? ['every secret can be opened']
          : [
              ...linesOf(found),
              'to discard all of this, stop the service and run `carillon secrets discard --yes`',
            ];
      print(options.json, { lost: found }, lines.join('\n'));
    },
    { allowLostKeys: true },
  );
}

async function discard(options: Json & { yes?: boolean }): Promise<void> {
  if (!options.yes) {
    throw new CommandError(
      'discarded secrets cannot be recovered: look for a copy of the key first, see `carillon secrets lost`, then add --yes',
    );
  }
  await withAppContext(
    async (appContext) => {
      const { lost: discarded, keyId, forgotten } = await discardLostSecrets(appContext);
      const lines = discarded.length === 0 ? ['nothing was lost'] : ['discarded:', ...linesOf(discarded)];
      print(
        options.json,
        { lost: discarded, key: keyId, forgotten },
        [...lines, `the key ${keyId} encrypts from now on: keep a copy of it`].join('\n'),
      );
    },
    { allowLostKeys: true },
  );
}
