import { z } from 'zod';
import type { Account } from '../../accounts/accounts.ts';
import type { CoreContext } from '../../core.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { found, timeZone } from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';

const settingsAnswer = z.object({
  id: out.id('Its id.', '1774337460000001'),
  username: out.text('Its user name.', 'demo'),
  name: out.text('Its name.', 'Demo'),
  time_zone: out.maybeText('null: that of the service.', 'Asia/Jerusalem'),
});
const settingsBody = z.object({
  time_zone: timeZone('The zone in which people see times, and of times without one in requests').nullable(),
});

const show: (account: Account) => z.output<typeof settingsAnswer> = serializer(settingsAnswer);

const route = resource<Pick<CoreContext, 'accounts'>>('account');

/** What an account decides about itself. */
export const accountSettingsRoutes = [
  route('GET /v1/account', {
    operationId: 'showOwnAccount',
    title: 'Show the account',
    description: 'The account that the call acts for.',
    answer: settingsAnswer,
    handler: ({ account }) => show(account),
  }),
  route('PATCH /v1/account', {
    operationId: 'changeOwnAccount',
    title: 'Change the account',
    description:
      'Sets its time zone, also for times without a zone in requests of the SMS family and the chat API, and in their answers.',
    body: settingsBody,
    answer: settingsAnswer,
    handler: async ({ account: before, accountId, body, audit }, { accounts }) => {
      await accounts.change(accountId, { timeZone: body.time_zone });
      const after = show(found(await accounts.byId(accountId), 'account'));
      audit({ before: { time_zone: before.timeZone }, after: { time_zone: after.time_zone } });
      return after;
    },
  }),
];
