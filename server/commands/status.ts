import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { readStatus, type ServiceStatus } from '../doctor/status.ts';
import { describeStatus } from './status-text.ts';
import { type Json, print, withAppContext } from './with-app-context.ts';

/** Milliseconds between two looks of `--watch`. */
const WATCH_MS = 2_000;
/** Moves the cursor of a terminal to the first line and clears the rest. */
const CLEAR = '\x1b[H\x1b[J';

/** `status`: connectors, queues, processes and webhooks of a running service, from its database. */
export function statusCommand(program: Command): void {
  program
    .command('status')
    .description('shows processes, connectors with the cause of a fault, queues and webhooks of the service')
    .option('--watch', 'shows them again every two seconds, until Ctrl-C')
    .action(status);
}

async function status({ watch = false, json }: Json & { readonly watch?: boolean }): Promise<void> {
  const clear = watch && !json && process.stdout.isTTY ? CLEAR : '';
  // Not in one transaction: a watch runs for hours.
  await withAppContext(
    async (appContext) => {
      do {
        const found: ServiceStatus = await readStatus(appContext);
        print(json, found, `${clear}${describeStatus(found)}`);
        if (watch) await pause(WATCH_MS);
      } while (watch);
    },
    { steps: true },
  );
}
