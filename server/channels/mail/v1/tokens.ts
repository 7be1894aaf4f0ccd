import { z } from 'zod';
import { ACTIVE_TOKENS, type Tokens } from '../../../accounts/tokens.ts';
import { serializer } from '../../../interfaces/v1/kit/serializer.ts';
import { labelField, tokenFields, tokenRoutesOf } from '../../../interfaces/v1/token-routes.ts';

interface MailTokensDeps {
  readonly tokens: Tokens;
}

const newToken = z.object({ label: labelField });
const tokenAnswer = z.object(tokenFields);

/** Tokens of an account for the mailing-list API. */
export const mailTokenRoutes = tokenRoutesOf<MailTokensDeps, typeof newToken, typeof tokenAnswer>({
  chapter: 'mail',
  path: '/mail/tokens',
  docs: {
    list: {
      operationId: 'listMailTokens',
      title: 'List mail tokens',
      description: 'Tokens that were not revoked, the oldest first, without the tokens themselves.',
    },
    create: {
      operationId: 'newMailToken',
      title: 'Create a mail token',
      description: `For the mailing-list API, valid until it is revoked; at most ${ACTIVE_TOKENS} at a time.`,
    },
    revoke: {
      operationId: 'revokeMailToken',
      title: 'Revoke a mail token',
      description: 'Requests with it are refused from now on.',
    },
  },
  body: newToken,
  answer: tokenAnswer,
  example: '8mZ1…q0Yw',
  wanted: ({ label }) => ({ label }),
  show: serializer(tokenAnswer),
});
