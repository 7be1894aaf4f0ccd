import { z } from 'zod';
import { changes, dailyWork, reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { personOf } from '../../../api/v1/caller.ts';
import { sensitive } from '../../../api/v1/field-rights.ts';
import { field, found, idOf, notFound, oneOf, rowsAnswer, whole } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { storable } from '../../../api/v1/kit/text-fields.ts';
import type { CoreContext } from '../../../run/services.ts';
import { channelField, channelName, channelNames, channelNumber } from '../../messages/v1/fields.ts';

const MAX_TITLE = 100;

const title = field(
  storable(MAX_TITLE).default(''),
  'Name in lists: the name of the campaign, or the start of its text.',
  'Spring',
);
const content = field(
  z.record(z.string(), z.unknown(), 'must be an object'),
  'Values of the composer. They are stored unchanged, and checked when the send is submitted.',
  { source: 'Shop', message: 'Spring is here' },
);
const newBody = z.object({
  channel: field(oneOf(channelNames), 'Channel of the send.', 'sms'),
  title,
  content,
});
const saveBody = z.object({
  version: field(whole(1, 2_147_483_647), '`version` on which the change is based.', 1),
  title,
  content,
});

const draftAnswer = z.object({
  id: out.id('Id of the draft.', '1774337460000051'),
  channel: channelField,
  title: sensitive(out.text('`title`.', 'Spring'), 'message-text'),
  version: out.count('Version, 1 at first; each save increments it.', 1),
  updated_by: out.maybeText('Person who saved it last; null: a token.', 'Dana Levi'),
  updated_at: out.time('Time of the last save'),
});
const wholeAnswer = draftAnswer.extend({
  content: answered(z.record(z.string(), z.unknown()), '`content`.', {
    source: 'Shop',
    message: 'Spring is here',
  }),
});

const show = serializer(draftAnswer, ({ channel }: { readonly channel: number }) => ({
  channel: channelName(channel),
}));
const id = idOf('draft');

const route = resource<Pick<CoreContext, 'drafts'>>('sending');

/** Drafts of sends. */
export const draftRoutes = [
  route('GET /v1/drafts', {
    access: reads('sender', 'read'),
    operationId: 'listDrafts',
    title: 'List drafts',
    description: 'Lists drafts of sends, last saved first, without their content.',
    answer: rowsAnswer('drafts', draftAnswer),
    handler: async ({ accountId }, { drafts }) => ({ drafts: (await drafts.list(accountId)).map(show) }),
  }),
  route('POST /v1/drafts', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'createDraft',
    title: 'Create a draft',
    description: 'Stores a draft of a send. Everybody who may send for the account can see it.',
    refusals: ['not-now'],
    body: newBody,
    answer: draftAnswer,
    handler: async ({ accountId, caller, body }, { drafts }) => {
      const input = { title: body.title, content: body.content, by: personOf(caller) };
      return show(await drafts.create(accountId, channelNumber(body.channel), input));
    },
  }),
  route('GET /v1/drafts/:id', {
    access: reads('sender', 'read'),
    operationId: 'showDraft',
    title: 'Show a draft',
    description: 'Returns a draft with its content.',
    id,
    answer: wholeAnswer,
    handler: async ({ accountId, id }, { drafts }) => {
      const draft = found(await drafts.find(accountId, id), 'draft');
      return { ...show(draft), content: { ...draft.content } };
    },
  }),
  route('PUT /v1/drafts/:id', {
    // Saved as one types: the audit log has that a draft was begun and deleted.
    access: dailyWork(reads('sender', 'send')),
    operationId: 'saveDraft',
    title: 'Save a draft',
    description:
      'Replaces the content if `version` is the current one. Returns `not-now` if somebody else has saved the draft since.',
    refusals: ['not-now'],
    id,
    body: saveBody,
    answer: draftAnswer,
    handler: async ({ accountId, id, caller, body: { version, ...given } }, { drafts }) =>
      show(found(await drafts.save(accountId, id, version, { ...given, by: personOf(caller) }), 'draft')),
  }),
  route('DELETE /v1/drafts/:id', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'deleteDraft',
    title: 'Delete a draft',
    description: 'Deletes the draft. Sends made from it do not change.',
    id,
    handler: async ({ accountId, id }, { drafts }) => {
      if (!(await drafts.remove(accountId, id))) throw notFound('draft');
    },
  }),
];
