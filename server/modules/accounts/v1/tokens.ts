import { z } from 'zod';
import { commonScopes, scopeMeanings, tokenScopes } from '../../../api/access/scopes.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { field, oneOf, whole } from '../../../api/v1/kit/fields.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { labelField, tokenFields, tokenRoutesOf } from '../../../api/v1/token-routes.ts';
import type { CoreContext } from '../../../run/services.ts';
import { ACTIVE_TOKENS, type TokenInfo } from '../tokens.ts';

const DAY = 86_400_000;
const MAX_DAYS = 3_650;

const tokenAnswer = z.object({
  ...tokenFields,
  expires_at: out.maybeInstant('Expiry, ISO 8601; null: no expiry.', '2027-03-24T07:31:00.000Z'),
  expired: out.flag('Whether the token has expired.', false),
  scopes: answered(z.array(z.enum(tokenScopes)), 'Scopes of the token.', ['send', 'read']),
  made_by: out.maybeId(
    'Id of the token that created it with `getApiToken` and that revokes it when it is revoked; null: a person created it.',
    null,
  ),
});
const show = serializer(tokenAnswer, (token: TokenInfo & { isExpired: boolean }) => ({
  expired: token.isExpired,
}));
const scopesMeaning = tokenScopes.map((scope) => `\`${scope}\`: ${scopeMeanings[scope]}`).join('; ');
const newToken = z.object({
  label: labelField,
  days: field(whole(1, MAX_DAYS).optional(), 'Validity in days; no expiry without it.', 365),
  scopes: field(
    z
      .array(oneOf(tokenScopes), 'must be a list')
      .min(1, 'must have one at least')
      .max(tokenScopes.length, `over ${tokenScopes.length}`)
      .optional(),
    `Scopes of the token; default: all. ${scopesMeaning}.`,
    ['send', 'read'],
  ),
});

type TokensDeps = Pick<CoreContext, 'tokens' | 'clock'>;

/** Tokens of an account. */
export const tokenRoutes = tokenRoutesOf<TokensDeps, typeof newToken, typeof tokenAnswer>({
  chapter: 'account',
  path: '/tokens',
  docs: {
    list: {
      operationId: 'listTokens',
      title: 'List tokens',
      description:
        'Lists the tokens of the account that are not revoked, oldest first, without their values.',
    },
    create: {
      operationId: 'createToken',
      title: 'Create a token',
      description: `Creates a token. Its value is only in this response. At most ${ACTIVE_TOKENS} tokens of an account are valid. Give it only the scopes that its program needs. No scope permits access to people, tokens and the audit log.`,
    },
    revoke: {
      operationId: 'revokeToken',
      title: 'Revoke a token',
      description:
        'Revokes a token. Requests with it, and with tokens that it created, are refused immediately; by other processes within two seconds.',
    },
  },
  body: newToken,
  answer: tokenAnswer,
  example: 'kZt3c0y2v1mK1x5m3w8Yp7aQ4r9sT6uV2bC0dE1fG2h',
  wanted: ({ label, days, scopes = tokenScopes }, { clock }) => ({
    label,
    expiresAt: days === undefined ? null : clock.now() + days * DAY,
    scopes: commonScopes(tokenScopes, scopes),
  }),
  note: ({ audit }, id, { label, scopes }) => audit({ id, after: { label, scopes } }),
  show: (token, { clock }) =>
    show({ ...token, isExpired: token.expiresAt !== null && token.expiresAt <= clock.now() }),
});
