import { z } from 'zod';
import { changes, provenByBody, reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { field, flag } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { badField } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import { checkAccountPassword } from '../../passwords/rules.ts';
import type { Proofs } from '../../people/proofs.ts';
import { originOf, password as ownPassword, textInput } from '../../people/v1/session-fields.ts';

const stateAnswer = z.object({
  has_password: out.flag('Whether the account has a password for programs.', true),
  password_sign_in: out.flag(
    'Whether `POST /api` (`user.password`) and `POST /api/Mailer/token` accept it instead of a token.',
    true,
  ),
  password_weak: out.flag(
    'Whether it is too weak for a new password, as detected at the last sign-in with it. Change it.',
    false,
  ),
});
const show = serializer(stateAnswer);
const changeBody = z.object({
  own_password: ownPassword,
  password: textInput('New password, of 10 to 200 characters; null removes it.', 'a long walk in the rain')
    .nullable()
    .optional(),
  password_sign_in: field(flag.optional(), 'Whether it is accepted instead of a token.', true),
});

interface AccountPasswordDeps extends Pick<CoreContext, 'passwords'> {
  readonly people: { readonly proofs: Proofs };
}

const route = resource<AccountPasswordDeps>('account');

/** The password of an account, for its owners; that of a subscriber, for the owners of its parent account. */
export const accountPasswordRoutes = [
  route('GET /v1/account/password', {
    access: reads('owner'),
    operationId: 'getAccountPassword',
    title: 'Show the password settings of the account',
    description:
      'Returns whether programs can sign in with a password, and whether it is weak. The password itself is never returned.',
    answer: stateAnswer,
    handler: async ({ accountId }, { passwords }) => show(await passwords.find(accountId)),
  }),
  route('PATCH /v1/account/password', {
    access: provenByBody(changes('owner')),
    operationId: 'changeAccountPassword',
    title: 'Change the password of the account',
    description:
      'Sets or removes the password of the account for programs, and permits or forbids sign-in with it; omitted fields keep their values. The caller confirms their own password. Tokens created with the old password end (of the mailing-list API, and by `getApiToken`); tokens created by people stay valid. Other processes accept the old password for up to two seconds.',
    refusals: ['wrong-password', 'bad-password'],
    body: changeBody,
    answer: stateAnswer,
    handler: async ({ account, session, body: given, note, request }, { passwords, people }) => {
      const { password, password_sign_in: passwordSignIn } = given;
      if (password === undefined && passwordSignIn === undefined) {
        throw badField('password', 'missing, and password_sign_in too', 'missing');
      }
      if (password != null) checkAccountPassword(password, account.username);
      await people.proofs.confirm(session, given.own_password, originOf(request));
      await passwords.change(account, { password, passwordSignIn }, note);
      return show(await passwords.find(account.id));
    },
  }),
];
