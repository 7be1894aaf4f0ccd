import { z } from 'zod';
import { out } from '../../../interfaces/openapi/out.ts';
import { answered } from '../../../interfaces/openapi/shown.ts';
import { personOf } from '../../../interfaces/v1/caller.ts';
import { sensitive } from '../../../interfaces/v1/field-rights.ts';
import {
  field,
  found,
  idOf,
  notFound,
  queryText,
  requiredText,
  rowsAnswer,
  whole,
} from '../../../interfaces/v1/kit/fields.ts';
import { resource } from '../../../interfaces/v1/kit/route.ts';
import { serializer } from '../../../interfaces/v1/kit/serializer.ts';
import { storable } from '../../../interfaces/v1/kit/text-fields.ts';
import { MAX_HTML, MAX_SUBJECT, MAX_TEXT } from '../content.ts';
import type { MailTemplates } from '../saved-templates.ts';

const MAX_NAME = 100;

const blocksExample = { version: 1, direction: 'ltr', blocks: [{ type: 'heading', text: 'Hello' }] };
const HTML_EXAMPLE = '<p>Hello {{FirstName|friend}}</p>';

const name = field(
  requiredText(MAX_NAME).pipe(storable(MAX_NAME)),
  'What it is known by. Names need not be unique.',
  'Spring',
);
const contentFields = {
  subject: field(storable(MAX_SUBJECT).default(''), 'The subject, with its fields.', 'Hello {{FirstName}}'),
  html: field(storable(MAX_HTML).nullish(), 'The mail in HTML, as that of a mail campaign.', HTML_EXAMPLE),
  text: field(
    storable(MAX_TEXT).nullish(),
    'The mail in plain text; at least one of both.',
    'Hello {{FirstName|friend}}',
  ),
  blocks: field(
    z.record(z.string(), z.unknown(), 'must be an object').nullish(),
    'What the block editor of the console made `html` and `text` of. Stored as it is; leave it out if you write the HTML yourself.',
    blocksExample,
  ),
};
const newBody = z.object({ name, ...contentFields });
const saveBody = z.object({
  version: field(whole(1, 2_147_483_647), 'The `version` that was changed.', 1),
  name,
  ...contentFields,
});
const search = z.object({
  search: queryText(100).default('').describe('Those whose name or subject has this in it.'),
});

const templateAnswer = z.object({
  id: out.id('Its id.', '1774337460000061'),
  name: out.text('`name`.', 'Spring'),
  subject: sensitive(out.text('`subject`.', 'Hello {{FirstName}}'), 'message-text'),
  has_blocks: out.flag('Whether it can be opened in the block editor.', false),
  version: out.count('Grows with every save, from 1.', 1),
  updated_by: out.maybeText('The person who saved it last; null: a token.', 'Dana Levi'),
  created_at: out.time('When it was created'),
  updated_at: out.time('When it was saved last'),
});
const wholeAnswer = templateAnswer.extend({
  html: sensitive(out.maybeText('`html`.', HTML_EXAMPLE), 'message-text'),
  text: sensitive(out.maybeText('`text`.', null), 'message-text'),
  blocks: sensitive(
    answered(z.record(z.string(), z.unknown()).nullable(), '`blocks`.', blocksExample),
    'message-text',
  ),
});

const show = serializer(templateAnswer);
const id = idOf('mail template');

/** What a body says, as it is stored: a text of blanks is none. */
function inputOf({ name, subject, html, text, blocks }: z.output<typeof newBody>) {
  return {
    name,
    subject,
    html: html?.trim() ? html : null,
    text: text?.trim() ? text : null,
    blocks: blocks ?? null,
  };
}

interface MailTemplatesDeps {
  readonly templates: MailTemplates;
}

const route = resource<MailTemplatesDeps>('mail');

/** Mail templates of an account. */
export const mailTemplateRoutes = [
  route('GET /v1/mail/templates', {
    operationId: 'listMailTemplates',
    title: 'List mail templates',
    description: 'The last saved first, without what they say.',
    query: search,
    answer: rowsAnswer('templates', templateAnswer),
    handler: async ({ accountId, query }, { templates }) => ({
      templates: (await templates.list(accountId, query.search.trim())).map((row) => show(row)),
    }),
  }),
  route('POST /v1/mail/templates', {
    operationId: 'createMailTemplate',
    title: 'Create a mail template',
    description:
      'Saves a mail to begin others with. Its fields, links and length are checked when a mail is sent.',
    refusals: ['not-now'],
    body: newBody,
    answer: templateAnswer,
    handler: async ({ accountId, caller, body }, { templates }) =>
      show(await templates.create(accountId, { ...inputOf(body), by: personOf(caller) })),
  }),
  route('GET /v1/mail/templates/:id', {
    operationId: 'showMailTemplate',
    title: 'Show a mail template',
    description: 'A template with what it says.',
    id,
    answer: wholeAnswer,
    handler: async ({ accountId, id }, { templates }) => {
      const template = found(await templates.find(accountId, id), 'mail template');
      const { html, text, blocks } = template;
      return { ...show(template), html, text, blocks: blocks && { ...blocks } };
    },
  }),
  route('PUT /v1/mail/templates/:id', {
    operationId: 'saveMailTemplate',
    title: 'Save a mail template',
    description:
      'Stores the template anew, if `version` is still the last one. Otherwise somebody else saved it meanwhile, and it is refused with `not-now`. Mails that were sent or drafted with it do not change.',
    refusals: ['not-now'],
    id,
    body: saveBody,
    answer: templateAnswer,
    handler: async ({ accountId, id, caller, body }, { templates }) => {
      const input = { ...inputOf(body), by: personOf(caller) };
      return show(found(await templates.save(accountId, id, body.version, input), 'mail template'));
    },
  }),
  route('POST /v1/mail/templates/:id/duplicate', {
    operationId: 'duplicateMailTemplate',
    title: 'Duplicate a mail template',
    description: 'Creates a copy under another name.',
    refusals: ['not-now'],
    id,
    body: z.object({ name }),
    answer: templateAnswer,
    handler: async ({ accountId, id, caller, body }, { templates }) => {
      const by = personOf(caller);
      return show(found(await templates.duplicate(accountId, id, { name: body.name, by }), 'mail template'));
    },
  }),
  route('DELETE /v1/mail/templates/:id', {
    operationId: 'deleteMailTemplate',
    title: 'Delete a mail template',
    description: 'Nothing that was sent or drafted with it changes.',
    id,
    handler: async ({ accountId, id }, { templates }) => {
      if (!(await templates.remove(accountId, id))) throw notFound('mail template');
    },
  }),
];
