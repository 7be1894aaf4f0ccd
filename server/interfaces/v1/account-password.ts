import { z } from 'zod';
import type { AccountPasswordState, AccountPasswords } from '../../accounts/account-passwords.ts';
import { checkAccountPassword } from '../../accounts/password-rules.ts';
import { Refusal } from '../../errors.ts';
import type { SignIns } from '../../people/sign-in.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { noteOf } from './audited.ts';
import { read, type V1Part } from './door.ts';
import { withBody } from './json-body.ts';
import { originOf, password as ownPassword, text } from './session-fields.ts';

const stateAnswer = z.object({
  has_password: answered(z.boolean(), 'Whether the account has a password for programs.', true),
  password_sign_in: answered(
    z.boolean(),
    'Whether `user.password` of `POST /api` and `POST /api/Mailer/token` take it in the place of a token.',
    true,
  ),
  password_weak: answered(
    z.boolean(),
    'Whether it would be refused as a new one; known after a sign-in with it. Change it.',
    false,
  ),
});
const changeBody = z.object({
  own_password: ownPassword,
  password: text('The new password, of 10 to 200 characters; null removes it.', 'a long walk in the rain')
    .nullable()
    .optional(),
  password_sign_in: z
    .boolean('must be true or false')
    .optional()
    .meta({ description: 'Whether it is taken in the place of a token.', examples: [true] }),
});

export interface AccountPasswordPartDeps {
  readonly passwords: AccountPasswords;
  readonly people: { readonly signIns: SignIns };
}

/**
 * The password of an account for programs, under /v1: `GET` and `PATCH /account/password`, for owners; for a subscriber by
 * the owners of its parent account.
 */
export function accountPasswordPart({ passwords, people }: AccountPasswordPartDeps): V1Part {
  return (app, accountOf, callerOf) => {
    app.get(
      '/account/password',
      described({
        chapter: 'account',
        id: 'getAccountPassword',
        title: 'The password of the account',
        description:
          'Whether programs can sign in with a password, and whether it is a weak one. Never the password.',
        answer: stateAnswer,
      }),
      async (request) => show(await passwords.find(accountOf(request).id)),
    );

    app.patch(
      '/account/password',
      withBody(
        described({
          chapter: 'account',
          id: 'changeAccountPassword',
          title: 'Change the password of the account',
          description:
            'Sets or removes the password that programs sign in with, and says whether they may; what is not given stays. The person who asks confirms their own password. Tokens that the old password made end (of the mailing-list API, and by `getApiToken`); those that people made stay. Other processes take the old password for two seconds at most.',
          answer: stateAnswer,
          refusals: ['wrong-password', 'bad-password'],
        }),
        changeBody,
      ),
      async (request) => {
        const account = accountOf(request);
        const given = read(changeBody, request.body);
        const { password, password_sign_in: passwordSignIn } = given;
        if (password === undefined && passwordSignIn === undefined) {
          throw new Refusal('bad-field', 'missing, and password_sign_in too', 'password');
        }
        if (password != null) checkAccountPassword(password, account.username);
        const { person } = callerOf(request).session!;
        await people.signIns.confirmPassword(person, given.own_password, originOf(request));
        await passwords.change(account, { password, passwordSignIn }, noteOf(request));
        return show(await passwords.find(account.id));
      },
    );
  };
}

const show = (state: AccountPasswordState): z.output<typeof stateAnswer> => ({
  has_password: state.hasPassword,
  password_sign_in: state.passwordSignIn,
  password_weak: state.passwordWeak,
});
