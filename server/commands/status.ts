import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { readStatus, type ServiceStatus } from '../run/doctor/status.ts';
import { describeStatus } from './status-text.ts';
import { type Json, print, whyUnavailable, withAppContext } from './with-app-context.ts';

/** Milliseconds between two looks of `--watch`. */
const WATCH_MS = 2_000;
/** Moves the cursor of a terminal to the first line and clears the rest. */
const CLEAR = '\x1b[H\x1b[J';

/** `status`: connectors, queues, processes and webhooks of a running service, from its database. */
export function statusCommand(program: Command): void {
  program
    .command('status')
    .description('shows processes, connectors with the cause of a fault, queues and webhooks of the service')
    .option('--watch', 'refreshes every two seconds, until Ctrl-C')
    .action(status);
}

async function status({ watch = false, json }: Json & { readonly watch?: boolean }): Promise<void> {
  if (watch) return watchStatus(json);
  await withAppContext(
    async (appContext) => {
      const found: ServiceStatus = await readStatus(appContext);
      print(json, found, describeStatus(found));
    },
    { steps: true },
  );
}

/** Prints the status again and again, also across a restart of the service or its database. */
async function watchStatus(json: boolean | undefined): Promise<never> {
  const clear = !json && process.stdout.isTTY ? CLEAR : '';
  for (;;) {
    try {
      // Not in one transaction, which would last for hours. The database of a stopped service stays stopped.
      await withAppContext(
        async (appContext) => {
          for (;;) {
            const found: ServiceStatus = await readStatus(appContext);
            print(json, found, `${clear}${describeStatus(found)}`);
            await pause(WATCH_MS);
          }
        },
        { steps: true, running: true },
      );
    } catch (error) {
      const reason = whyUnavailable(error);
      if (reason === undefined) throw error;
      const at = new Date().toISOString();
      print(json, { at, error: reason }, `${clear}${at}  ${reason}`);
    }
    await pause(WATCH_MS);
  }
}
