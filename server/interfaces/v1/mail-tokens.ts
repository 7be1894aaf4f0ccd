import { z } from 'zod';
import { ACTIVE_TOKENS, type TokenInfo, type Tokens, TooManyTokens } from '../../accounts/tokens.ts';
import { Refusal } from '../../errors.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { passOver, takeBodies } from './bodies.ts';
import { pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { done, doneAnswer, iso, isoTime, maybeIso, maybeTime } from './fields.ts';
import { withBody } from './json-body.ts';

const LABEL_MOST = 100;

const tokenFields = {
  id: answered(z.string(), 'Its id, by which it is revoked.', '1774337460000002'),
  label: answered(z.string(), 'What it is for.', 'web shop'),
  created_at: isoTime('When it was made'),
  last_used_at: maybeTime('When it was used last, some seconds behind'),
};
const tokenAnswer = z.object(tokenFields);
const newTokenAnswer = z.object({
  token: answered(z.string(), 'The token, shown this once.', '8mZ1…q0Yw'),
  ...tokenFields,
});
const newToken = z.object({
  label: z
    .string('must be a text')
    .trim()
    .min(1, 'missing')
    .max(LABEL_MOST, `over ${LABEL_MOST} characters`)
    .meta({ description: 'What it is for.', examples: ['web shop'] }),
});

/**
 * Mail tokens of an account under /v1, a part of the door:
 * - `GET /mail/tokens`: those that were not revoked
 * - `POST /mail/tokens`: makes one, shown in this answer alone
 * - `DELETE /mail/tokens/:id`: revokes one
 */
export function mailTokensPart({ tokens }: { readonly tokens: Tokens }): V1Part {
  return (app, accountOf) => {
    app.post(
      '/mail/tokens',
      withBody(
        described({
          chapter: 'mail',
          id: 'newMailToken',
          title: 'Make a mail token that lasts',
          description: `For the mailing-list API, until it is revoked; at most ${ACTIVE_TOKENS} at a time.`,
          answer: newTokenAnswer,
          refusals: ['not-now'],
        }),
        newToken,
      ),
      async (request): Promise<z.output<typeof newTokenAnswer>> => {
        const { id: accountId } = accountOf(request);
        const { label } = read(newToken, request.body);
        try {
          const { id, token } = await tokens.mint(accountId, { label });
          const made = (await tokens.list(accountId)).find((one) => one.id === id);
          if (!made) throw new Error('a token was revoked while it was made');
          return { token, ...show(made) };
        } catch (error) {
          if (error instanceof TooManyTokens)
            throw new Refusal('not-now', `${error.message}, revoke one first`);
          throw error;
        }
      },
    );

    app.register(async (bodiless) => {
      takeBodies(bodiless, passOver);

      bodiless.get(
        '/mail/tokens',
        described({
          chapter: 'mail',
          id: 'listMailTokens',
          title: 'Mail tokens',
          description: 'Those that were not revoked, the oldest first, without themselves.',
          answer: z.object({ tokens: z.array(tokenAnswer) }),
        }),
        async (request) => ({ tokens: (await tokens.list(accountOf(request).id)).map(show) }),
      );

      bodiless.delete<{ Params: { id: string } }>(
        '/mail/tokens/:id',
        described({
          chapter: 'mail',
          id: 'revokeMailToken',
          title: 'Revoke a mail token',
          description: 'It is of no use from now on.',
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

const show = ({ id, label, createdAt, lastUsedAt }: TokenInfo): z.output<typeof tokenAnswer> => ({
  id: String(id),
  label,
  created_at: iso(createdAt),
  last_used_at: maybeIso(lastUsedAt),
});
