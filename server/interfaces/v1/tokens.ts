import { z } from 'zod';
import { commonScopes, scopeMeanings, tokenScopes } from '../../access/scopes.ts';
import { ACTIVE_TOKENS, type TokenInfo, type Tokens, TooManyTokens } from '../../accounts/tokens.ts';
import type { Clock } from '../../clock.ts';
import { Refusal } from '../../errors.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { addDetails } from './audited.ts';
import { passOver, takeBodies } from './bodies.ts';
import { pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { done, doneAnswer, iso, isoTime, maybeIso, maybeTime } from './fields.ts';
import { withBody } from './json-body.ts';

const DAY = 86_400_000;
const LABEL_MOST = 100;
const DAYS_MOST = 3_650;

const tokenFields = {
  id: answered(z.string(), 'Its id, by which it is revoked.', '1774337460000002'),
  label: answered(z.string(), 'What it is for.', 'web shop'),
  created_at: isoTime('When it was made'),
  expires_at: answered(
    z.string().nullable(),
    'Until when it is valid, ISO 8601; null: for good.',
    '2027-03-24T07:31:00.000Z',
  ),
  expired: answered(z.boolean(), 'Whether that time is over.', false),
  last_used_at: maybeTime('When it was used last, some seconds behind'),
  scopes: answered(z.array(z.enum(tokenScopes)), 'What it may be used for.', ['send', 'read']),
  made_by: answered(
    z.string().nullable(),
    'The id of the token that asked for it by `getApiToken`, with which it is revoked; null: a person made it.',
    null,
  ),
};
const scopesMeaning = tokenScopes.map((scope) => `\`${scope}\`: ${scopeMeanings[scope]}`).join('; ');
const tokenAnswer = z.object(tokenFields);
const newTokenAnswer = z.object({
  token: answered(z.string(), 'The token, shown this once.', 'kZt3c0y2v1mK1x5m3w8Yp7aQ4r9sT6uV2bC0dE1fG2h'),
  ...tokenFields,
});
const newToken = z.object({
  label: z
    .string('must be a text')
    .trim()
    .min(1, 'missing')
    .max(LABEL_MOST, `over ${LABEL_MOST} characters`)
    .meta({ description: 'What it is for.', examples: ['web shop'] }),
  days: z
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(DAYS_MOST, `must be ${DAYS_MOST} or less`)
    .optional()
    .meta({ description: 'For how many days it is valid; for good without it.', examples: [365] }),
  scopes: z
    .array(z.enum(tokenScopes, `must be one of ${tokenScopes.join(', ')}`), 'must be a list')
    .min(1, 'must have one at least')
    .max(tokenScopes.length, `over ${tokenScopes.length}`)
    .optional()
    .meta({
      description: `What it may be used for; all of it without this. ${scopesMeaning}.`,
      examples: [['send', 'read']],
    }),
});

/**
 * Tokens of an account under /v1, a part of the door:
 * - `GET /tokens`: those that were not revoked
 * - `POST /tokens`: makes one, shown in this answer alone
 * - `DELETE /tokens/:id`: revokes one
 */
export function tokensPart({ tokens, clock }: { readonly tokens: Tokens; readonly clock: Clock }): V1Part {
  const show = (token: TokenInfo): z.output<typeof tokenAnswer> => ({
    id: String(token.id),
    label: token.label,
    created_at: iso(token.createdAt),
    expires_at: maybeIso(token.expiresAt),
    expired: token.expiresAt !== null && token.expiresAt <= clock.now(),
    last_used_at: maybeIso(token.lastUsedAt),
    scopes: [...token.scopes],
    made_by: token.madeBy === null ? null : String(token.madeBy),
  });

  return (app, accountOf) => {
    app.get(
      '/tokens',
      described({
        chapter: 'account',
        id: 'listTokens',
        title: 'Tokens',
        description: 'The tokens of the account that were not revoked, the oldest first, without themselves.',
        answer: z.object({ tokens: z.array(tokenAnswer) }),
      }),
      async (request) => ({ tokens: (await tokens.list(accountOf(request).id)).map(show) }),
    );

    app.post(
      '/tokens',
      withBody(
        described({
          chapter: 'account',
          id: 'createToken',
          title: 'Make a token',
          description: `The token is in this answer and nowhere else. At most ${ACTIVE_TOKENS} of an account are valid at once. Give it the scopes that its program needs: people, tokens and the audit log are reached by none.`,
          answer: newTokenAnswer,
          refusals: ['not-now'],
        }),
        newToken,
      ),
      async (request) => {
        const { label, days, scopes: wanted = tokenScopes } = read(newToken, request.body);
        const scopes = commonScopes(tokenScopes, wanted);
        const expiresAt = days === undefined ? null : clock.now() + days * DAY;
        const { id: accountId } = accountOf(request);
        try {
          const { id, token } = await tokens.mint(accountId, { label, expiresAt, scopes });
          addDetails(request, { id, after: { label, scopes } });
          const made = (await tokens.list(accountId)).find((one) => one.id === id);
          if (!made) throw new Refusal('not-now', 'it was revoked at once');
          return { token, ...show(made) };
        } catch (error) {
          if (!(error instanceof TooManyTokens)) throw error;
          throw new Refusal('not-now', `${ACTIVE_TOKENS} tokens are valid already, revoke one first`);
        }
      },
    );

    app.register(async (bodiless) => {
      takeBodies(bodiless, passOver);
      bodiless.delete<{ Params: { id: string } }>(
        '/tokens/:id',
        described({
          chapter: 'account',
          id: 'revokeToken',
          title: 'Revoke a token',
          description:
            'Requests with it are refused at once, by other processes within two seconds; so are those with tokens that it made.',
          pathId: 'The id of the token.',
          answer: doneAnswer,
          refusals: ['not-found'],
        }),
        async (request) => {
          const id = pathId(request.params.id, 'token');
          if (!(await tokens.revoke(id, accountOf(request).id))) throw new NotFound('no such token');
          return done;
        },
      );
    });
  };
}
