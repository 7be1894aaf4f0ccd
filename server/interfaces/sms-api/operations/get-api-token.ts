import { TooManyTokens } from '../../../accounts/tokens.ts';
import { Refusal } from '../../../errors.ts';
import { formatLocal } from '../../../time-zones.ts';
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
  schema: element({ user, username: text, action: text }),
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
      const { token } = await tokens.mint(owner.id, { label: 'getApiToken' });
      return answer('OK', token, null, call);
    } catch (error) {
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
