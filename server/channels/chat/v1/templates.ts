import { z } from 'zod';
import type { CoreContext } from '../../../core.ts';
import { Refusal } from '../../../errors.ts';
import { out } from '../../../interfaces/openapi/out.ts';
import { found, nameSearch, rowsAnswer, textOf, yesNo } from '../../../interfaces/v1/kit/fields.ts';
import { resource } from '../../../interfaces/v1/kit/route.ts';
import type { ChatNumber, ChatNumbers } from '../numbers.ts';
import type { Template, Templates } from '../templates.ts';
import {
  draftOf,
  showHistory,
  showTemplate,
  templateAnswer,
  templateBody,
  templateWithHistory,
} from './template-fields.ts';

const MAX_PAGE = 500;

const templatesPage = z.object({
  phone: z.string().default('').describe('Only templates of this business number.'),
  after: z.string().default('').describe('The `template_id` of the last template of the page before.'),
  limit: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(MAX_PAGE, `must be ${MAX_PAGE} or less`)
    .default(MAX_PAGE)
    .describe('Templates of a page.'),
  deleted: yesNo.describe('`false`: without those that are deleted.'),
  search: nameSearch,
});

const syncAnswer = z.object({
  found: out.count('Templates on the platform.', 12),
  added: out.count('Of them new here, once for each business number of the portfolio.', 2),
  changed: out.count('Have another status now, those that are gone included.', 1),
  unsupported: out.texts('Names of those with parts that this service cannot send; they are left out.', []),
});

const templateId = textOf('The `template_id` of the template.');

interface ChatTemplatesDeps extends Pick<CoreContext, 'clock' | 'numbers'> {
  readonly templates: Templates;
  readonly chatNumbers: ChatNumbers;
}

const route = resource<ChatTemplatesDeps>('chat');

/** Templates: they are written here, and reviewed by the platform. */
export const chatTemplateRoutes = [
  route('POST /v1/chat/templates', {
    operationId: 'createTemplate',
    title: 'Create a template',
    description:
      'Checks the template and submits it to the platform for review. Its status is 0 until the review is over; the webhook `template.status` tells each change.',
    refusals: ['not-now'],
    body: templateBody,
    answer: templateWithHistory,
    status: 202,
    handler: async ({ accountId, body: given }, deps) => {
      const number = await ownNumber(deps, accountId, given.phone);
      return withHistory(deps, await deps.templates.create(number, draftOf(given)));
    },
  }),
  route('PUT /v1/chat/templates/:id', {
    operationId: 'editTemplate',
    title: 'Change a template',
    description:
      'Gives a template other parts, on the platform first, for every business number of its portfolio. It is reviewed anew, and its status is 0 until then. Number, name, language and category have to be the ones that it has; `editable` says whether it can be changed.',
    refusals: ['not-now'],
    id: templateId,
    body: templateBody,
    answer: templateWithHistory,
    handler: async ({ accountId, id, body: given }, deps) => {
      const template = await find(deps, accountId, id);
      if (deps.numbers.parse(given.phone)?.digits !== template.phone) {
        throw new Refusal('bad-field', 'cannot be changed', 'phone', { reason: 'fixed' });
      }
      const changed = await deps.templates.edit(accountId, template.templateId, draftOf(given));
      return withHistory(deps, changed!);
    },
  }),
  route('GET /v1/chat/templates', {
    operationId: 'browseTemplates',
    title: 'List chat templates',
    description:
      'The templates of the account in the order in which they were made, those that are deleted included.',
    query: templatesPage,
    answer: rowsAnswer('templates', templateAnswer),
    handler: async ({ accountId, query: { phone, after, limit, deleted, search } }, deps) => {
      const number = phone === '' ? undefined : await ownNumber(deps, accountId, phone);
      const [last] = after === '' ? [] : await deps.templates.list(accountId, undefined, after);
      if (after !== '' && !last)
        throw new Refusal('bad-field', 'no template of the account', 'after', { reason: 'unknown' });
      const [shown, waiting] = await Promise.all([
        deps.templates.list(accountId, number?.phone, undefined, {
          after: last?.id ?? 0,
          limit,
          deleted,
          search: search.trim(),
        }),
        deps.templates.waiting(accountId),
      ]);
      return { templates: shown.map((template) => showTemplate(template, waiting, deps.clock.now())) };
    },
  }),
  route('GET /v1/chat/templates/:id', {
    operationId: 'showTemplate',
    title: 'Show a template',
    description: 'One template, with every status that it had.',
    id: templateId,
    answer: templateWithHistory,
    handler: async ({ accountId, id }, deps) => withHistory(deps, await find(deps, accountId, id)),
  }),
  route('DELETE /v1/chat/templates/:id', {
    operationId: 'deleteTemplate',
    title: 'Delete a template',
    description:
      'Deletes the template on the platform, for every business number of its portfolio. It stays here with status 9.',
    refusals: ['not-now'],
    id: templateId,
    answer: templateWithHistory,
    handler: async ({ accountId, id }, deps) =>
      withHistory(deps, found(await deps.templates.remove(accountId, id), 'template')),
  }),
  route('POST /v1/chat/numbers/:id/sync', {
    operationId: 'syncTemplates',
    title: 'Synchronize templates with the platform',
    description:
      'Brings the templates of the portfolio of a business number up to what the platform has: those made elsewhere, those that were changed, those that are gone. It is done by itself every hour.',
    refusals: ['not-now'],
    id: textOf('The business number.'),
    answer: syncAnswer,
    handler: async ({ accountId, id }, deps) => {
      const number = await numberOf(deps, accountId, id);
      const portfolio = number && (await deps.chatNumbers.portfolio(number.portfolioId));
      const synced = await deps.templates.sync(found(portfolio, 'business number'));
      return { ...synced, unsupported: [...synced.unsupported] };
    },
  }),
];

/** A business number of the account, in any spelling; undefined for another one. */
async function numberOf(
  { chatNumbers, numbers }: ChatTemplatesDeps,
  accountId: number,
  phone: string,
): Promise<ChatNumber | undefined> {
  const digits = numbers.parse(phone)?.digits;
  const number = digits === undefined ? undefined : await chatNumbers.find(digits);
  return number?.accountId === accountId ? number : undefined;
}

/** As `numberOf`, of a field `phone`. Throws Refusal `bad-field` for another one. */
async function ownNumber(deps: ChatTemplatesDeps, accountId: number, phone: string): Promise<ChatNumber> {
  const number = await numberOf(deps, accountId, phone);
  if (!number)
    throw new Refusal('bad-field', 'no business number of the account', 'phone', { reason: 'unknown' });
  return number;
}

async function find({ templates }: ChatTemplatesDeps, accountId: number, id: string): Promise<Template> {
  return found((await templates.list(accountId, undefined, id))[0], 'template');
}

async function withHistory(
  { templates, clock }: ChatTemplatesDeps,
  template: Template,
): Promise<z.output<typeof templateWithHistory>> {
  const { accountId, id } = template;
  const [waiting, history] = await Promise.all([
    templates.waiting(accountId),
    templates.history(accountId, id),
  ]);
  return { ...showTemplate(template, waiting, clock.now()), history: showHistory(history) };
}
