import { z } from 'zod';
import { MakerRevoked, TooManyTokens } from '../../../accounts/tokens.ts';
import { Refusal } from '../../../errors.ts';
import { formatLocal } from '../../../time-zones.ts';
import { answered } from '../../openapi/shown.ts';
import { answerOf } from '../about.ts';
import { user } from '../fields.ts';
import { type Call, operation } from '../operation.ts';
import { done } from '../status-codes.ts';
import { element, text } from '../wire/fields.ts';

/**
 * Makes a token for the account or one of its subscribers, or tells the current one (decisions, "Extra operations").
 * Tokens are kept as digests: the current one can be told only to the caller that just used it.
 */
export const getApiToken = operation({
  roots: ['getApiToken'],
  about: {
    chapter: 'account',
    title: 'Make a token, or show the current one',
    description:
      'Needs a valid token already. `new` makes another for the account or for one of its subscribers, five at most; it may do what the token that asks may do, and is revoked with it. A token is kept as a digest: `current` shows it only to the caller that just used it, and of others only when they expire.',
    example: { username: 'demo', action: 'current' },
    answer: answerOf({
      token: answered(z.string(), 'The token; empty when it cannot be shown.', '8mZ1…q0Yw'),
      expiration_date: answered(
        z.string(),
        '`dd/mm/yy hh:mm`; empty when it does not expire.',
        '31/12/26 23:59',
      ),
    }),
    refusals: ['bad-token-action', 'unknown-user', 'no-token', 'not-allowed'],
  },
  schema: element({
    user,
    username: text.describe('Whose token: the account, or one of its subscribers.'),
    action: text.meta({ description: 'What to do.', enum: ['new', 'current'] }),
  }),
  async run(input, call) {
    if (!call.token) throw new Refusal('signed-out', 'a valid token is needed');
    if (input.action !== 'new' && input.action !== 'current') {
      throw new Refusal('bad-token-action', 'action: must be new or current');
    }
    const { accounts, tokens } = call.services;
    const owner = await accounts.byUsername(input.username);
    if (!owner || (owner.id !== call.account.id && owner.parentId !== call.account.id)) {
      throw new Refusal('unknown-user', 'username: does not exist or is not under this account');
    }
    if (input.action === 'current') {
      const current = await tokens.current(owner.id);
      if (!current) throw new Refusal('no-token', 'there is no current token');
      if (owner.id === call.caller.id) return answer('OK', call.token.value, call.token.expiresAt, call);
      return answer('a token is shown once, when it is made', '', current.expiresAt, call);
    }
    try {
      if (call.dryRun) {
        await tokens.checkMint(owner.id);
        return answer('OK', '', null, call);
      }
      const { id, scopes } = call.token;
      const { token } = await tokens.mint(owner.id, { label: 'getApiToken', scopes, madeBy: id });
      return answer('OK', token, null, call);
    } catch (error) {
      if (error instanceof MakerRevoked) throw new Refusal('signed-out', error.message);
      if (error instanceof TooManyTokens)
        throw new Refusal('not-allowed', `${error.message}, revoke one first`);
      throw error;
    }
  },
});

function answer(message: string, token: string, expiresAt: number | null, call: Call) {
  return {
    status: done.accepted,
    message,
    token,
    expiration_date: expiresAt === null ? '' : formatLocal(expiresAt, call.zone),
  };
}
