import { z } from 'zod';
import { changes, reads, withoutProof } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { found, timeZone } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { Account } from '../accounts.ts';

const settingsAnswer = z.object({
  id: out.id('Id of the account.', '1774337460000001'),
  username: out.text('User name of the account.', 'demo'),
  name: out.text('Name of the account.', 'Demo'),
  time_zone: out.maybeText('Time zone; null: that of the service.', 'Asia/Jerusalem'),
});
const settingsBody = z.object({
  time_zone: timeZone(
    'Time zone in which people see times, and of times without a zone in requests',
  ).nullable(),
});

const show: (account: Account) => z.output<typeof settingsAnswer> = serializer(settingsAnswer);

const route = resource<Pick<CoreContext, 'accounts'>>('account');

/** Settings of an account that it changes itself. */
export const accountSettingsRoutes = [
  route('GET /v1/account', {
    access: reads('viewer', 'read', 'send'),
    operationId: 'showOwnAccount',
    title: 'Show the account',
    description: 'Returns the account on whose behalf the request acts.',
    answer: settingsAnswer,
    handler: ({ account }) => show(account),
  }),
  route('PATCH /v1/account', {
    access: withoutProof(changes('owner'), 'changes the time zone only'),
    operationId: 'changeOwnAccount',
    title: 'Change the account',
    description:
      'Updates the time zone of the account, which also applies to times without a zone in requests of the SMS API and the chat API, and in their responses.',
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
