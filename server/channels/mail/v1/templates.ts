import { z } from 'zod';
import { changes, dailyWork, reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { personOf } from '../../../api/v1/caller.ts';
import { sensitive } from '../../../api/v1/field-rights.ts';
import {
  field,
  found,
  idOf,
  notFound,
  queryText,
  requiredText,
  rowsAnswer,
  whole,
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { storable } from '../../../api/v1/kit/text-fields.ts';
import { MAX_HTML, MAX_SUBJECT, MAX_TEXT } from '../content.ts';
import type { MailTemplates } from '../saved-templates.ts';

const MAX_NAME = 100;

const blocksExample = { version: 1, direction: 'ltr', blocks: [{ type: 'heading', text: 'Hello' }] };
const HTML_EXAMPLE = '<p>Hello {{FirstName|friend}}</p>';

const name = field(
  requiredText(MAX_NAME).pipe(storable(MAX_NAME)),
  'Name of the template. Names need not be unique.',
  'Spring',
);
const contentFields = {
  subject: field(storable(MAX_SUBJECT).default(''), 'Subject, with its fields.', 'Hello {{FirstName}}'),
  html: field(storable(MAX_HTML).nullish(), 'Email in HTML, as in an email campaign.', HTML_EXAMPLE),
  text: field(
    storable(MAX_TEXT).nullish(),
    'Email in plain text. HTML, text, or both are required.',
    'Hello {{FirstName|friend}}',
  ),
  blocks: field(
    z.record(z.string(), z.unknown(), 'must be an object').nullish(),
    'Document of the block editor from which the console made `html` and `text`. Stored unchanged; omit it if you write the HTML yourself.',
    blocksExample,
  ),
};
const newBody = z.object({ name, ...contentFields });
const saveBody = z.object({
  version: field(whole(1, 2_147_483_647), '`version` on which the change is based.', 1),
  name,
  ...contentFields,
});
const search = z.object({
  search: queryText(100)
    .default('')
    .describe('Filters by name and subject: templates that contain this text.'),
});

const templateAnswer = z.object({
  id: out.id('Id of the template.', '1774337460000061'),
  name: out.text('`name`.', 'Spring'),
  subject: sensitive(out.text('`subject`.', 'Hello {{FirstName}}'), 'message-text'),
  has_blocks: out.flag('Whether the block editor can open it.', false),
  version: out.count('Version, 1 at first; each save increments it.', 1),
  updated_by: out.maybeText('Person who saved it last; null: a token.', 'Dana Levi'),
  created_at: out.time('Time of creation'),
  updated_at: out.time('Time of the last save'),
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
const id = idOf('email template');

/** Converts a body for storage; a blank text becomes null. */
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

/** Email templates of an account. */
export const mailTemplateRoutes = [
  route('GET /v1/mail/templates', {
    access: reads('viewer', 'read', 'send'),
    operationId: 'listMailTemplates',
    title: 'List email templates',
    description: 'Lists the templates, last saved first, without their content.',
    query: search,
    answer: rowsAnswer('templates', templateAnswer),
    handler: async ({ accountId, query }, { templates }) => ({
      templates: (await templates.list(accountId, query.search.trim())).map((row) => show(row)),
    }),
  }),
  route('POST /v1/mail/templates', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'createMailTemplate',
    title: 'Create an email template',
    description:
      'Saves an email as a template. Its fields, links and length are checked when an email is sent.',
    refusals: ['not-now'],
    body: newBody,
    answer: templateAnswer,
    handler: async ({ accountId, caller, body }, { templates }) =>
      show(await templates.create(accountId, { ...inputOf(body), by: personOf(caller) })),
  }),
  route('GET /v1/mail/templates/:id', {
    access: reads('viewer', 'read', 'send'),
    operationId: 'showMailTemplate',
    title: 'Show an email template',
    description: 'Returns a template with its content.',
    id,
    answer: wholeAnswer,
    handler: async ({ accountId, id }, { templates }) => {
      const template = found(await templates.find(accountId, id), 'mail template');
      const { html, text, blocks } = template;
      return { ...show(template), html, text, blocks: blocks && { ...blocks } };
    },
  }),
  route('PUT /v1/mail/templates/:id', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'saveMailTemplate',
    title: 'Save an email template',
    description:
      'Replaces the template if `version` is the current one. Returns `not-now` if somebody else has saved it since. Sent emails and drafts do not change.',
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
    access: dailyWork(changes('sender', 'send')),
    operationId: 'duplicateMailTemplate',
    title: 'Duplicate an email template',
    description: 'Creates a copy with another name.',
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
    access: dailyWork(changes('sender', 'send')),
    operationId: 'deleteMailTemplate',
    title: 'Delete an email template',
    description: 'Deletes the template. Sent emails and drafts do not change.',
    id,
    handler: async ({ accountId, id }, { templates }) => {
      if (!(await templates.remove(accountId, id))) throw notFound('mail template');
    },
  }),
];
