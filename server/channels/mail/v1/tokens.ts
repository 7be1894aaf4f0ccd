import { z } from 'zod';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { labelField, tokenFields, tokenRoutesOf } from '../../../api/v1/token-routes.ts';
import { ACTIVE_TOKENS, type Tokens } from '../../../modules/accounts/tokens.ts';

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
      description: 'Lists the tokens that are not revoked, oldest first, without their values.',
    },
    create: {
      operationId: 'newMailToken',
      title: 'Create a mail token',
      description: `Creates a token for the mailing-list API, valid until it is revoked; at most ${ACTIVE_TOKENS} at a time.`,
    },
    revoke: {
      operationId: 'revokeMailToken',
      title: 'Revoke a mail token',
      description: 'Revokes the token; requests with it are refused.',
    },
  },
  body: newToken,
  answer: tokenAnswer,
  example: '8mZ1…q0Yw',
  wanted: ({ label }) => ({ label }),
  show: serializer(tokenAnswer),
});
