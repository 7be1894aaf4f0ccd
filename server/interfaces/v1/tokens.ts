import { z } from 'zod';
import { commonScopes, scopeMeanings, tokenScopes } from '../../access/scopes.ts';
import { ACTIVE_TOKENS, type TokenInfo, type Tokens, TooManyTokens } from '../../accounts/tokens.ts';
import type { Clock } from '../../clock.ts';
import { Refusal } from '../../errors.ts';
import { answered } from '../openapi/shown.ts';
import {
  done,
  doneAnswer,
  field,
  idOf,
  iso,
  isoTime,
  maybeIso,
  maybeTime,
  notFound,
  oneOf,
  out,
  requiredText,
  rowsAnswer,
  whole,
} from './kit/fields.ts';
import { resource } from './kit/route.ts';

const DAY = 86_400_000;
const MAX_LABEL = 100;
const MAX_DAYS = 3_650;

const tokenFields = {
  id: out.text('Its id, by which it is revoked.', '1774337460000002'),
  label: out.text('What it is for.', 'web shop'),
  created_at: isoTime('When it was made'),
  expires_at: out.maybeText('Until when it is valid, ISO 8601; null: for good.', '2027-03-24T07:31:00.000Z'),
  expired: out.flag('Whether that time is over.', false),
  last_used_at: maybeTime('When it was used last, some seconds behind'),
  scopes: answered(z.array(z.enum(tokenScopes)), 'What it may be used for.', ['send', 'read']),
  made_by: out.maybeText(
    'The id of the token that asked for it by `getApiToken`, with which it is revoked; null: a person made it.',
    null,
  ),
};
const scopesMeaning = tokenScopes.map((scope) => `\`${scope}\`: ${scopeMeanings[scope]}`).join('; ');
const tokenAnswer = z.object(tokenFields);
const newTokenAnswer = z.object({
  token: out.text('The token, shown this once.', 'kZt3c0y2v1mK1x5m3w8Yp7aQ4r9sT6uV2bC0dE1fG2h'),
  ...tokenFields,
});
const newToken = z.object({
  label: field(requiredText(MAX_LABEL), 'What it is for.', 'web shop'),
  days: field(whole(1, MAX_DAYS).optional(), 'For how many days it is valid; for good without it.', 365),
  scopes: field(
    z
      .array(oneOf(tokenScopes), 'must be a list')
      .min(1, 'must have one at least')
      .max(tokenScopes.length, `over ${tokenScopes.length}`)
      .optional(),
    `What it may be used for; all of it without this. ${scopesMeaning}.`,
    ['send', 'read'],
  ),
});

export interface TokensDeps {
  readonly tokens: Tokens;
  readonly clock: Clock;
}

const route = resource<TokensDeps>('account');

/** Tokens of an account. */
export const tokenRoutes = [
  route({
    method: 'GET',
    path: '/tokens',
    docs: {
      id: 'listTokens',
      title: 'Tokens',
      description: 'The tokens of the account that were not revoked, the oldest first, without themselves.',
    },
    answer: rowsAnswer('tokens', tokenAnswer),
    handler: async ({ accountId }, { tokens, clock }) => ({
      tokens: (await tokens.list(accountId)).map((token) => show(token, clock.now())),
    }),
  }),
  route({
    method: 'POST',
    path: '/tokens',
    docs: {
      id: 'createToken',
      title: 'Make a token',
      description: `The token is in this answer and nowhere else. At most ${ACTIVE_TOKENS} of an account are valid at once. Give it the scopes that its program needs: people, tokens and the audit log are reached by none.`,
      refusals: ['not-now'],
    },
    body: newToken,
    answer: newTokenAnswer,
    handler: async (
      { accountId, body: { label, days, scopes: wanted = tokenScopes }, audit },
      { tokens, clock },
    ) => {
      const scopes = commonScopes(tokenScopes, wanted);
      const expiresAt = days === undefined ? null : clock.now() + days * DAY;
      try {
        const { id, token } = await tokens.mint(accountId, { label, expiresAt, scopes });
        audit({ id, after: { label, scopes } });
        const made = (await tokens.list(accountId)).find((one) => one.id === id);
        if (!made) throw new Refusal('not-now', 'it was revoked at once');
        return { token, ...show(made, clock.now()) };
      } catch (error) {
        if (!(error instanceof TooManyTokens)) throw error;
        throw new Refusal('not-now', `${ACTIVE_TOKENS} tokens are valid already, revoke one first`);
      }
    },
  }),
  route({
    method: 'DELETE',
    path: '/tokens/:id',
    docs: {
      id: 'revokeToken',
      title: 'Revoke a token',
      description:
        'Requests with it are refused at once, by other processes within two seconds; so are those with tokens that it made.',
    },
    id: idOf('token'),
    answer: doneAnswer,
    handler: async ({ accountId, id }, { tokens }) => {
      if (!(await tokens.revoke(id, accountId))) throw notFound('token');
      return done;
    },
  }),
];

const show = (token: TokenInfo, now: number): z.output<typeof tokenAnswer> => ({
  id: String(token.id),
  label: token.label,
  created_at: iso(token.createdAt),
  expires_at: maybeIso(token.expiresAt),
  expired: token.expiresAt !== null && token.expiresAt <= now,
  last_used_at: maybeIso(token.lastUsedAt),
  scopes: [...token.scopes],
  made_by: token.madeBy === null ? null : String(token.madeBy),
});
