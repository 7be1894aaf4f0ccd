import type { z } from 'zod';
import { Refusal } from '../../kit/errors.ts';
import { type NewToken, type TokenInfo, type Tokens, TooManyTokens } from '../../modules/accounts/tokens.ts';
import { changes, proven, reads, sendsNothing, withoutProof } from '../access/rules.ts';
import type { Chapter } from '../openapi/chapters.ts';
import { out } from '../openapi/out.ts';
import type { Call } from './kit/call.ts';
import { field, idOf, notFound, requiredText, rowsAnswer } from './kit/fields.ts';
import { type Route, type RouteDocs, resource } from './kit/route.ts';

const MAX_LABEL = 100;

/** Fields of a token of any kind. */
export const tokenFields = {
  id: out.id('Id of the token, for revoking it.', '1774337460000002'),
  label: out.text('Purpose of the token.', 'web shop'),
  created_at: out.time('Time of creation'),
  last_used_at: out.maybeTime('Time of the last use, some seconds late'),
};
export const labelField = field(requiredText(MAX_LABEL), 'Purpose of the token.', 'web shop');

/** Tokens of one kind: the names, creation and form of their routes. */
interface TokenRoutes<Deps, Body extends z.ZodObject, Shown extends z.ZodObject> {
  readonly chapter: Chapter;
  readonly path: string;
  readonly docs: { readonly list: RouteDocs; readonly create: RouteDocs; readonly revoke: RouteDocs };
  readonly body: Body;
  readonly answer: Shown;
  /** Example of a token in the documentation. */
  readonly example: string;
  wanted(body: z.output<Body>, deps: Deps): NewToken;
  show(token: TokenInfo, deps: Deps): z.output<Shown>;
  /** Adds a new token to the audit log. */
  note?(call: Call<unknown, z.output<Body>, never>, id: number, wanted: NewToken): void;
}

/** Routes that list, create and revoke tokens of one kind. */
export function tokenRoutesOf<
  Deps extends { readonly tokens: Tokens },
  Body extends z.ZodObject,
  Shown extends z.ZodObject,
>(of: TokenRoutes<Deps, Body, Shown>): Route<Deps>[] {
  const { path, docs } = of;
  const route = resource<Deps>(of.chapter);
  const created = of.answer.extend({ token: out.text('Token, shown once.', of.example) });
  return [
    route(`GET /v1${path}`, {
      access: reads('owner'),
      ...docs.list,
      answer: rowsAnswer('tokens', of.answer),
      handler: async ({ accountId }, deps) => ({
        tokens: (await deps.tokens.list(accountId)).map((token) => of.show(token, deps)),
      }),
    }),
    route(`POST /v1${path}`, {
      access: sendsNothing(proven(changes('owner'))),
      ...docs.create,
      refusals: ['not-now'],
      body: of.body,
      answer: created,
      handler: async (call, deps) => {
        const wanted = of.wanted(call.body, deps);
        try {
          const { id, token } = await deps.tokens.mint(call.accountId, wanted);
          of.note?.(call, id, wanted);
          const made = (await deps.tokens.list(call.accountId)).find((one) => one.id === id);
          if (!made)
            throw new Refusal('not-now', 'it was revoked immediately', undefined, {
              reason: 'token-revoked',
            });
          return { token, ...of.show(made, deps) };
        } catch (error) {
          if (!(error instanceof TooManyTokens)) throw error;
          throw new Refusal('not-now', `${error.message}, revoke one first`, undefined, {
            reason: 'limit-reached',
            params: { max: error.max },
          });
        }
      },
    }),
    route(`DELETE /v1${path}/:id`, {
      access: withoutProof(changes('owner'), 'takes power away: a stolen token must end without delay'),
      ...docs.revoke,
      id: idOf('token'),
      handler: async ({ accountId, id }, { tokens }) => {
        if (!(await tokens.revoke(id, accountId))) throw notFound('token');
      },
    }),
  ];
}
