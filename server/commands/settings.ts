import type { Command } from 'commander';
import { channels } from '../channels/index.ts';
import { allSettings } from '../kit/config.ts';

/** The settings as a Markdown table, of which docs/settings.md is made. */
export function settingsTable(): string {
  const rows = Object.entries(allSettings(channels)).map(
    ([name, { fallback, about }]) =>
      `| \`${name}\` | ${fallback === undefined ? '' : `\`${fallback}\``} | ${about} |`,
  );
  return ['| Setting | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

/** `settings`: every setting, its default and its meaning. */
export function settingsCommand(program: Command): void {
  program
    .command('settings')
    .description('lists every setting, its default and its meaning; NAME_FILE reads NAME from a file')
    .action(() => console.log(settingsTable()));
}
