import type { Command } from 'commander';
import { displayNumber } from '../kit/numbers/phone-numbers.ts';
import type { Json } from './with-app-context.ts';
import { accountNamed, CommandError, print, withAppContext } from './with-app-context.ts';

/** `source confirm` and `source waiting`: verifications that the operator finishes. */
export function verificationCommands(source: Command): void {
  source
    .command('confirm <number>')
    .description('completes the verification of a number whose owner confirmed it when you called')
    .option('--account <username>', 'account, if several requested the number')
    .action(confirm);
  source.command('waiting').description('lists pending verifications').action(listWaiting);
}

async function confirm(number: string, options: Json & { account?: string }): Promise<void> {
  await withAppContext(async (appContext) => {
    const phone = appContext.numbers.parse(number)?.digits;
    if (phone === undefined) throw new CommandError(`"${number}" is no phone number`);
    const of = options.account === undefined ? undefined : await accountNamed(appContext, options.account);
    const waiting = await appContext.verifiedPhones.waiting(phone);
    const names = new Map(waiting.map(({ accountId, username }) => [accountId, username]));
    if (of === undefined && names.size > 1) {
      throw new CommandError(
        `several accounts asked for ${number}, name one: ${[...names.values()].join(', ')}`,
      );
    }
    const accountId = of?.id ?? [...names.keys()][0];
    if (accountId === undefined || !(await appContext.verifiedPhones.confirmPhone(accountId, phone))) {
      throw new CommandError(`no verification of ${number} waits${of ? ` for ${of.username}` : ''}`);
    }
    const username = names.get(accountId)!;
    print(options.json, { username, source: phone }, `${username} may send from ${displayNumber(phone)}`);
  });
}

async function listWaiting(options: Json): Promise<void> {
  await withAppContext(async ({ verifiedPhones }) => {
    const rows = (await verifiedPhones.waiting()).map(({ username, phone, landline, expiresAt }) => ({
      username,
      phone,
      kind: landline ? 'landline' : 'mobile',
      expires: new Date(expiresAt).toISOString(),
    }));
    const lines = rows.map(
      ({ username, phone, kind, expires }) =>
        `${displayNumber(phone)}  ${kind}  for ${username}  until ${expires}`,
    );
    print(options.json, rows, lines.join('\n') || 'none');
  });
}
