import type { Command } from 'commander';
import { type Retired, retireDemo, retirementDetails } from '../sandbox/demo-credentials.ts';
import { describeChange } from './audited.ts';
import { print, withAppContext } from './with-app-context.ts';

/** `sandbox`: what is done about a sandbox that has become, or becomes, a real service. */
export function sandboxCommand(program: Command): void {
  program
    .command('sandbox')
    .description('manages the sandbox of this database')
    .command('retire')
    .description(
      'ends all credentials of the sandbox: tokens, passwords, people, sessions and credits of demo',
    )
    .action(retire);
}

async function retire(options: { json?: boolean }): Promise<void> {
  await withAppContext(async (appContext) => {
    const { database, ids, clock, people } = appContext;
    const retired = await retireDemo({ sql: database.sql, ids, clock, audit: people.audit });
    // The operator's entry; that of the account is there.
    if (retired) describeChange(appContext, retirementDetails(retired));
    const state = retired ? 'retired' : 'never';
    print(
      options.json,
      { state, ...retired },
      retired ? words(retired) : 'this database never had a sandbox',
    );
  });
}

function words({ tokens, passwords, people, sessions, links, credits, operator }: Retired): string {
  const ended = [
    tokens > 0 && `tokens: ${tokens}`,
    passwords > 0 && `passwords of accounts: ${passwords}`,
    people > 0 && `people suspended: ${people}`,
    sessions > 0 && `sessions: ${sessions}`,
    links > 0 && `sign-in links: ${links}`,
    credits > 0 && `demo credits: ${credits}`,
    operator && 'the printed password of operator',
  ].filter((line) => line !== false);
  const lines =
    ended.length > 0
      ? [
          'the sandbox is retired. Ended, for the account demo and its subscribers:',
          ...ended.map((line) => `  ${line}`),
        ]
      : ['the sandbox is retired already: nothing was left to end'];
  if (operator) lines.push('operator has no password now; make one with: carillon person password operator');
  lines.push('A running process may take a token for two more seconds.');
  return lines.join('\n');
}
