import { type Command, InvalidArgumentError } from 'commander';
import { commonScopes, type TokenScope, tokenScopes } from '../api/access/scopes.ts';
import type { TokenInfo } from '../modules/accounts/tokens.ts';
import type { Json } from './with-app-context.ts';
import { accountNamed, CommandError, print, withAppContext } from './with-app-context.ts';

/** `token create`, `token list` and `token revoke`. */
export function tokenCommands(program: Command): void {
  const token = program.command('token').description('manages tokens of accounts');
  token
    .command('create <username>')
    .description('creates a token, shown once')
    .option('--label <text>', 'purpose of the token')
    .option('--days <number>', 'validity in days (default: no expiry)', readDays)
    .option(
      '--scopes <list>',
      `permissions, separated by commas: ${tokenScopes.join(', ')} (default: all)`,
      readScopes,
    )
    .action(createToken);
  token
    .command('list <username>')
    .description('lists the valid tokens of an account with their scopes')
    .action(listTokens);
  token
    .command('revoke <id>')
    .description('revokes a token, and the tokens that it created')
    .action(async (id: string, options: Json) => {
      await withAppContext(async ({ tokens }) => {
        if (!/^\d{1,16}$/.test(id) || !(await tokens.revoke(Number(id)))) {
          throw new CommandError(`there is no valid token with the id ${id}`);
        }
        print(options.json, { id: Number(id), revoked: true }, `token ${id} is revoked`);
      });
    });
}

async function createToken(
  username: string,
  options: Json & { label?: string; days?: number; scopes?: TokenScope[] },
): Promise<void> {
  await withAppContext(async (appContext) => {
    const { id: accountId } = await accountNamed(appContext, username);
    const { label = '', days, scopes = tokenScopes } = options;
    const expiresAt = days === undefined ? null : appContext.clock.now() + days * 86_400_000;
    const { id, token } = await appContext.tokens.mint(accountId, { label, expiresAt, scopes });
    print(
      options.json,
      { id, token, expires: isoOf(expiresAt), scopes },
      `token ${id}, shown this once:\n${token}`,
    );
  });
}

async function listTokens(username: string, options: Json): Promise<void> {
  await withAppContext(async (appContext) => {
    const { id } = await accountNamed(appContext, username);
    const all = await appContext.tokens.list(id);
    const rows = all.map((token) => ({
      id: token.id,
      label: token.label,
      scopes: token.scopes,
      created: isoOf(token.createdAt),
      expires: isoOf(token.expiresAt),
      lastUsed: isoOf(token.lastUsedAt),
      madeBy: token.madeBy,
    }));
    print(options.json, rows, all.map(lineOf).join('\n') || `${username} has no tokens`);
  });
}

const lineOf = ({ id, label, scopes, expiresAt }: TokenInfo) =>
  `${id}  ${label || '-'}  ${scopes.join(',')}${expiresAt === null ? '' : `  until ${isoOf(expiresAt)}`}`;

const isoOf = (time: number | null) => (time === null ? null : new Date(time).toISOString());

function readDays(value: string): number {
  if (!/^\d{1,5}$/.test(value) || value === '0') throw new InvalidArgumentError('a whole number of days');
  return Number(value);
}

function readScopes(value: string): TokenScope[] {
  const given = value.split(',').map((scope) => scope.trim()) as TokenScope[];
  const known = commonScopes(tokenScopes, given);
  if (known.length === 0 || given.some((scope) => !known.includes(scope))) {
    throw new InvalidArgumentError(`some of ${tokenScopes.join(', ')}`);
  }
  return known;
}
