import { z } from 'zod';
import { ACTIVE_TOKENS, type TokenInfo, type Tokens, TooManyTokens } from '../../accounts/tokens.ts';
import { Refusal } from '../../errors.ts';
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
  out,
  requiredText,
  rowsAnswer,
} from './kit/fields.ts';
import { resource } from './kit/route.ts';

const MAX_LABEL = 100;

const tokenFields = {
  id: out.text('Its id, by which it is revoked.', '1774337460000002'),
  label: out.text('What it is for.', 'web shop'),
  created_at: isoTime('When it was made'),
  last_used_at: maybeTime('When it was used last, some seconds behind'),
};
const tokenAnswer = z.object(tokenFields);
const newTokenAnswer = z.object({
  token: out.text('The token, shown this once.', '8mZ1…q0Yw'),
  ...tokenFields,
});
const newToken = z.object({
  label: field(requiredText(MAX_LABEL), 'What it is for.', 'web shop'),
});

export interface MailTokensDeps {
  readonly tokens: Tokens;
}

const route = resource<MailTokensDeps>('mail');

/** Tokens of an account for the mailing-list API. */
export const mailTokenRoutes = [
  route({
    method: 'POST',
    path: '/mail/tokens',
    docs: {
      id: 'newMailToken',
      title: 'Make a mail token that lasts',
      description: `For the mailing-list API, until it is revoked; at most ${ACTIVE_TOKENS} at a time.`,
      refusals: ['not-now'],
    },
    body: newToken,
    answer: newTokenAnswer,
    handler: async ({ accountId, body: { label } }, { tokens }) => {
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
  }),
  route({
    method: 'GET',
    path: '/mail/tokens',
    docs: {
      id: 'listMailTokens',
      title: 'Mail tokens',
      description: 'Those that were not revoked, the oldest first, without themselves.',
    },
    answer: rowsAnswer('tokens', tokenAnswer),
    handler: async ({ accountId }, { tokens }) => ({ tokens: (await tokens.list(accountId)).map(show) }),
  }),
  route({
    method: 'DELETE',
    path: '/mail/tokens/:id',
    docs: {
      id: 'revokeMailToken',
      title: 'Revoke a mail token',
      description: 'It is of no use from now on.',
    },
    id: idOf('token'),
    answer: doneAnswer,
    handler: async ({ accountId, id }, { tokens }) => {
      if (!(await tokens.revoke(id, accountId))) throw notFound('token');
      return done;
    },
  }),
];

const show = ({ id, label, createdAt, lastUsedAt }: TokenInfo): z.output<typeof tokenAnswer> => ({
  id: String(id),
  label,
  created_at: iso(createdAt),
  last_used_at: maybeIso(lastUsedAt),
});
