import { type Command, Option } from 'commander';
import { accountRoles, type PersonRole } from '../api/access/roles.ts';
import { hashPassword } from '../modules/passwords/hashes.ts';
import { checkPassword } from '../modules/passwords/rules.ts';
import { NO_ACCOUNT } from '../modules/people/audit.ts';
import type { OneTimeLink } from '../modules/people/one-time-links.ts';
import type { NoteChange } from '../modules/people/people.ts';
import type { Person } from '../modules/people/person.ts';
import { type AppContext, publicUrl } from '../run/app-context.ts';
import { describeChange } from './audited.ts';
import type { Json } from './with-app-context.ts';
import { accountNamed, CommandError, print, withAppContext } from './with-app-context.ts';

/** `person`: who uses the console. */
export function personCommands(program: Command): void {
  const person = program.command('person').description('manages people who use the console');
  person
    .command('add <username>')
    .description('adds a person; without a password prints a link for choosing one')
    .option('--account <username>', 'account of the person (default: an operator)')
    .addOption(
      new Option('--role <role>', 'role of a person of an account').choices(accountRoles).default('owner'),
    )
    .option('--name <name>', 'display name of the person (default: the user name)')
    .option('--password <password>', 'the password (other users of the machine may see it)')
    .action(add);
  person
    .command('password <username>')
    .description('prints a link for choosing a new password, or sets it')
    .option('--password <password>', 'the new password (other users of the machine may see it)')
    .option('--remove-second-factor', 'with the link: also removes the second factor')
    .action(password);
  person
    .command('list')
    .description('everybody')
    .option('--account <username>', 'account of the people')
    .action(list);
  person
    .command('suspend <username>')
    .description('signs a person out and suspends them')
    .option('--lift', 'lets the person sign in again')
    .action(suspend);
  person
    .command('require-second-factor')
    .description('requires a second factor of all operators, or of all people of an account')
    .option('--account <username>', 'for the people of this account (default: for operators)')
    .option('--lift', 'removes the requirement')
    .action(requireSecondFactor);
}

async function add(
  username: string,
  options: Json & { account?: string; role: PersonRole; name?: string; password?: string },
): Promise<void> {
  if (!/^[\w.@-]{2,50}$/.test(username)) {
    throw new CommandError('a user name has 2 to 50 letters, digits or . _ @ -');
  }
  await withAppContext(async (appContext) => {
    const account = options.account === undefined ? null : await accountNamed(appContext, options.account);
    const accountId = account?.id ?? null;
    const role = account ? options.role : 'operator';
    if (options.password !== undefined) checkPassword(options.password, username);
    const passwordHash = options.password === undefined ? null : await hashPassword(options.password);
    const { person, link } = await appContext.people.people.add(
      { accountId, username, name: options.name ?? username, role, passwordHash },
      noteOf(appContext, accountId),
    );
    const shown = { id: person.id, username, role, account: account?.username ?? null };
    const words = `${username} is added as ${role}${account ? ` of ${account.username}` : ''}`;
    printWithLink(appContext, options, shown, words, link);
  });
}

async function password(
  username: string,
  options: Json & { password?: string; removeSecondFactor?: boolean },
): Promise<void> {
  if (options.password !== undefined && options.removeSecondFactor) {
    throw new CommandError('a second factor is removed by the link: leave --password away');
  }
  await withAppContext(async (appContext) => {
    const { people, signIns } = appContext.people;
    const { id, accountId, ...person } = await personNamed(appContext, username);
    const note = noteOf(appContext, accountId);
    if (options.password !== undefined) {
      await signIns.setPassword({ ...person, id, accountId }, options.password, note);
      print(options.json, { id, username }, `${username} has a new password, and is signed out everywhere`);
      return;
    }
    const secondFactor = options.removeSecondFactor === true;
    const link = await people.reset(accountId, id, { secondFactor }, note);
    printWithLink(appContext, options, { id, username }, `${username} can choose a new password`, link!);
  });
}

async function list(options: Json & { account?: string }): Promise<void> {
  await withAppContext(async (appContext) => {
    const { people } = appContext.people;
    const all =
      options.account === undefined
        ? await people.listAll()
        : await people.list((await accountNamed(appContext, options.account)).id);
    const accounts = new Map((await appContext.accounts.list()).map(({ id, username }) => [id, username]));
    const rows = all.map((person) => ({
      id: person.id,
      username: person.username,
      name: person.name,
      role: person.role,
      account: person.accountId === null ? null : (accounts.get(person.accountId) ?? null),
      second_factor: person.secondFactor,
      suspended: person.suspended,
    }));
    const lines = rows.map(
      ({ username, role, account, suspended }) =>
        `${username}  ${role}${account === null ? '' : ` of ${account}`}${suspended ? '  suspended' : ''}`,
    );
    print(options.json, rows, lines.join('\n') || 'nobody');
  });
}

async function suspend(username: string, options: Json & { lift?: boolean }): Promise<void> {
  await withAppContext(async (appContext) => {
    const { id, accountId } = await personNamed(appContext, username);
    const suspended = !options.lift;
    const note = noteOf(appContext, accountId);
    await appContext.people.people.change(accountId, id, { suspended }, note);
    print(options.json, { username, suspended }, `${username} is ${suspended ? 'suspended' : 'active'}`);
  });
}

async function requireSecondFactor(options: Json & { account?: string; lift?: boolean }): Promise<void> {
  await withAppContext(async (appContext) => {
    const account = options.account === undefined ? null : await accountNamed(appContext, options.account);
    const accountId = account?.id ?? null;
    const rules = { secondFactorRequired: !options.lift };
    const changed = await appContext.people.rules.change(accountId, rules, noteOf(appContext, accountId));
    const whose = account ? `the people of ${account.username}` : 'operators';
    const missing = `${changed.withoutSecondFactor} have no second factor and set one up at their next sign-in`;
    print(
      options.json,
      {
        account: account?.username ?? null,
        second_factor_required: changed.secondFactorRequired,
        without_second_factor: changed.withoutSecondFactor,
      },
      options.lift
        ? `a second factor is no longer required of ${whose}`
        : `a second factor is required of ${whose}: ${missing}`,
    );
  });
}

async function personNamed({ people }: AppContext, username: string): Promise<Person> {
  const person = await people.people.byUsername(username);
  if (!person) throw new CommandError(`no person has the user name "${username}"`);
  return person;
}

/** For the command's entry in the audit log. */
function noteOf(appContext: AppContext, accountId: number | null): NoteChange {
  return async (_tx, details) =>
    describeChange(appContext, { ...details, accountId: accountId ?? NO_ACCOUNT });
}

function printWithLink(
  { config }: AppContext,
  { json }: Json,
  value: object,
  words: string,
  link: OneTimeLink | null,
): void {
  const url = link && `${publicUrl(config)}/password#${link.token}`;
  const expires = link && new Date(link.expiresAt).toISOString();
  print(
    json,
    { ...value, ...(link && { link: url, expires }) },
    link ? `${words}; the link for it works once, until ${expires}:\n${url}` : words,
  );
}
