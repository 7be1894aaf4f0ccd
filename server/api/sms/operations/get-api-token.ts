import { Refusal } from '../../../kit/errors.ts';
import { formatLocalSeconds } from '../../../kit/time-zones.ts';
import type { Account } from '../../../modules/accounts/accounts.ts';
import { MakerRevoked, TooManyTokens } from '../../../modules/accounts/tokens.ts';
import { anyProgram } from '../../access/rules.ts';
import { iso, maybeIso, out } from '../../openapi/out.ts';
import { answerOf } from '../about.ts';
import { user } from '../fields.ts';
import { type Call, operation } from '../operation.ts';
import { done } from '../status-codes.ts';
import { element, text } from '../wire/fields.ts';

const DAY_MS = 86_400_000;
/**
 * Expiry shown for a token that does not expire: clients parse a date, and this is the last one that all of them
 * support.
 */
const NO_END = '31/12/9999 23:59:59';

/**
 * Creates a token for the account or one of its subscribers, or returns the current one (decisions, "Extra operations"
 * and section 8). Tokens are stored as digests, so the current one can be returned only to a caller that used it for
 * this call.
 */
export const getApiToken = operation({
  roots: ['getApiToken'],
  // Its token has at most the scopes of the token of the request, and is revoked with it.
  access: anyProgram,
  chapter: 'account',
  title: 'Get an API token',
  description:
    'Signs in with a token, or with `user.password` if that is enabled. `new` creates another token for the account or for one of its subscribers; it has the permissions of the requesting token and is revoked with it. At most five tokens created here are valid: the sixth revokes the one that was unused for the longest time, with an entry in the audit log; tokens created by people are not affected. Tokens are stored as digests: `current` returns the value only to the caller that has just used it, and for other tokens only the expiry.',
  example: { username: 'demo', action: 'current' },
  answer: answerOf(
    {
      token: out.text('Token; empty if it cannot be shown.', '8mZ1…q0Yw'),
      expiration_date: out.text(
        `Expiry, \`dd/mm/yyyy hh:mm:ss\` in the time zone of the account; \`${NO_END}\` without an expiry.`,
        '31/12/2026 23:59:59',
      ),
    },
    { message: '8mZ1…q0Yw' },
  ),
  refusals: ['bad-token-action', 'unknown-user', 'no-token', 'not-allowed'],
  schema: element({
    user,
    username: text.describe('Owner of the token: the account, or one of its subscribers.'),
    action: text.meta({ description: 'Action.', enum: ['new', 'current'] }),
  }),
  async run(input, call) {
    if (input.action !== 'new' && input.action !== 'current') {
      throw new Refusal('bad-token-action', 'must be new or current', 'action');
    }
    const { accounts } = call.services;
    const owner = await accounts.byUsername(input.username);
    if (!owner || (owner.id !== call.account.id && owner.parentId !== call.account.id)) {
      throw new Refusal('unknown-user', 'does not exist or is not under this account', 'username');
    }
    return input.action === 'current' ? tellCurrent(owner, call) : makeToken(owner, call);
  },
});

async function tellCurrent(owner: Account, call: Call) {
  const current = await call.services.tokens.current(owner.id);
  if (!current) throw new Refusal('no-token', 'there is no current token');
  if (owner.id === call.caller.id && call.token) return answer(call.token.value, call.token.expiresAt, call);
  return answer('', current.expiresAt, call, 'a token is shown once, when it is made');
}

async function makeToken(owner: Account, call: Call) {
  const { tokens, people, clock, config } = call.services;
  const days = config.API_TOKEN_DAYS;
  const expiresAt = days === 0 ? null : clock.now() + days * DAY_MS;
  try {
    if (call.dryRun) {
      await tokens.checkIssue(owner.id, call.token?.id);
      return answer('', expiresAt, call, 'OK');
    }
    const { token } = await tokens.mint(owner.id, {
      label: 'getApiToken',
      expiresAt,
      ...(call.token && { scopes: call.token.scopes, madeBy: call.token.id }),
      issue: {
        by: call.caller.id,
        onRetire: (tx, { id, createdAt, lastUsedAt }) =>
          people.audit.write(
            {
              accountId: owner.id,
              tokenId: call.token?.id,
              address: call.address,
              action: 'POST /api getApiToken',
              kind: 'tokens',
              id,
              before: { created_at: iso(createdAt), last_used_at: maybeIso(lastUsedAt) },
              after: { retired: true },
              status: 200,
            },
            tx,
          ),
      },
    });
    return answer(token, expiresAt, call);
  } catch (error) {
    if (error instanceof MakerRevoked) throw new Refusal('signed-out', error.message);
    if (error instanceof TooManyTokens)
      throw new Refusal('not-allowed', `${error.message}, revoke one first`);
    throw error;
  }
}

/** Clients read the token from `token` or from `message` (decisions, section 8). */
function answer(token: string, expiresAt: number | null, call: Call, message = token) {
  return {
    status: done.accepted,
    message,
    token,
    expiration_date: expiresAt === null ? NO_END : formatLocalSeconds(expiresAt, call.zone),
  };
}
