import { z } from 'zod';
import { changes, reads, withoutProof } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { field, found, idText, timeZone } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { badField } from '../../../kit/errors.ts';
import { pictureUrl } from '../../../kit/http/picture-address.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { Pictures } from '../../pictures/pictures.ts';
import type { Account } from '../accounts.ts';

const settingsAnswer = z.object({
  id: out.id('Id of the account.', '1774337460000001'),
  username: out.text('User name of the account.', 'demo'),
  name: out.text('Name of the account.', 'Demo'),
  time_zone: out.maybeText('Time zone; null: that of the service.', 'Asia/Jerusalem'),
  logo_url: out.maybeText(
    'Address of the picture that pages for recipients show with the name of the account; null: none.',
    'https://carillon.example/pictures/3q2-7wAAqrvMzN3u_wARIg',
  ),
});
const settingsBody = z.object({
  time_zone: timeZone('Time zone in which people see times, and of times without a zone in requests')
    .nullable()
    .optional(),
  logo_picture_id: field(
    idText('a picture').nullable().optional(),
    'Id of an uploaded picture (`POST /v1/pictures`) that pages for recipients show with the name of the account; null: none.',
    null,
  ),
});

type SettingsDeps = Pick<CoreContext, 'accounts' | 'pageBase' | 'pictures'>;

const show = serializer(settingsAnswer, ({ logo, base }: Account & { readonly base: string }) => ({
  logo_url: logo === null ? null : pictureUrl(base, logo),
}));

const route = resource<SettingsDeps>('account', {
  'a public picture': ['logo_url'],
});

/**
 * Returns the code of a picture of the account; undefined and null as given. Throws Refusal `bad-field` for an id without a
 * picture.
 */
async function codeOf(
  pictures: Pick<Pictures, 'find'>,
  accountId: number,
  id: string | null | undefined,
): Promise<string | null | undefined> {
  if (id === undefined || id === null) return id;
  const picture = await pictures.find(accountId, Number(id));
  if (!picture) throw badField('logo_picture_id', 'no such picture', 'unknown');
  return picture.code;
}

/** Settings of an account that it changes itself. */
export const accountSettingsRoutes = [
  route('GET /v1/account', {
    access: reads('viewer', 'read', 'send'),
    operationId: 'showOwnAccount',
    title: 'Show the account',
    description: 'Returns the account on whose behalf the request acts.',
    answer: settingsAnswer,
    handler: ({ account }, { pageBase }) => show({ ...account, base: pageBase() }),
  }),
  route('PATCH /v1/account', {
    access: withoutProof(changes('owner'), 'changes the time zone and the logo only'),
    operationId: 'changeOwnAccount',
    title: 'Change the account',
    description:
      'Updates the given fields. The time zone also applies to times without a zone in requests of the SMS API and the chat API, and in their responses.',
    body: settingsBody,
    answer: settingsAnswer,
    handler: async ({ account: before, accountId, body, audit }, { accounts, pageBase, pictures }) => {
      const logo = await codeOf(pictures, accountId, body.logo_picture_id);
      await accounts.change(accountId, { timeZone: body.time_zone, logo });
      const after = found(await accounts.byId(accountId), 'account');
      audit({
        before: { time_zone: before.timeZone, logo: before.logo },
        after: { time_zone: after.timeZone, logo: after.logo },
      });
      return show({ ...after, base: pageBase() });
    },
  }),
];
