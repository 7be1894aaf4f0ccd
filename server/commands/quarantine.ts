import type { Command } from 'commander';
import { askForRetry, listQuarantine } from '../engine/dispatch/quarantine.ts';
import { CommandError, print, withAppContext } from './with-app-context.ts';

const MAX_SHOWN = 200;

/** `quarantine`: results of messages that could not be stored. */
export function quarantineCommands(program: Command): void {
  const quarantine = program
    .command('quarantine')
    .description('manages results of messages that could not be stored and were put aside');
  quarantine
    .command('list')
    .description(`lists the newest ${MAX_SHOWN}, with the reason`)
    .action(({ json }: { json?: boolean }) =>
      withAppContext(async ({ database }) => {
        const rows = await listQuarantine(database.sql, MAX_SHOWN);
        const lines = rows.map(({ id, account_id: account, created_at: at, reason, retry_at: retry }) => {
          const state = retry === null ? '' : '  (to be tried again)';
          return `${id}  account ${account}  ${new Date(at).toISOString()}  ${reason}${state}`;
        });
        print(json, rows, lines.join('\n') || 'none');
      }),
    );
  quarantine
    .command('retry [id]')
    .description('lets the running service retry one result, or all without an id')
    .action((id: string | undefined, { json }: { json?: boolean }) =>
      withAppContext(async ({ database, clock }) => {
        if (id !== undefined && !/^\d{1,16}$/.test(id))
          throw new CommandError(`${id} is not an id of the list`);
        const count = await askForRetry(database.sql, clock.now(), id === undefined ? undefined : Number(id));
        print(json, { count }, `${count} will be tried again by the running service`);
      }),
    );
}
