import { z } from 'zod';
import { open } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { field, textUpTo } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import type { CoreContext } from '../../../run/services.ts';

const forgottenBody = z.object({
  username: field(textUpTo(320), 'User name.', 'dana@example.com'),
});
const waysAnswer = z.object({
  by_mail: out.flag('Whether a link is mailed to people whose user name is an email address.', true),
});

type ForgottenPasswordDeps = Pick<CoreContext, 'invitations' | 'log'>;

const route = resource<ForgottenPasswordDeps>('people');

/** A forgotten password, which its owner replaces by a mailed link. */
export const forgottenPasswordRoutes = [
  route('GET /v1/session/forgotten-password', {
    access: open('nothing'),
    operationId: 'showForgottenPassword',
    title: 'Show how a forgotten password is replaced',
    description:
      'Returns whether the service mails links for a new password: it does if a mail relay is configured.',
    answer: waysAnswer,
    handler: async (_call, { invitations }) => ({ by_mail: invitations.canMail }),
  }),
  route('POST /v1/session/forgotten-password', {
    access: open('password'),
    operationId: 'requestPasswordLink',
    title: 'Request a link for a new password',
    description:
      'Mails a link to the person, if their user name is an email address. The old password is valid until the link is used. The response is always the same and comes before the email is sent, so that it does not reveal who has an account. An address gets at most three such emails a day.',
    body: forgottenBody,
    handler: async ({ body: { username } }, { invitations, log }) => {
      invitations
        .forgotten(username.trim())
        .catch((error: unknown) => log.error({ err: error }, 'password link not mailed'));
    },
  }),
];
