import { z } from 'zod';
import { changes, dailyWork, reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { found, nameSearch, rowsAnswer, textOf, yesNo } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { badField } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { ChatNumber, ChatNumbers } from '../business-numbers.ts';
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
  phone: z.string().default('').describe('Filters by business number.'),
  after: z.string().default('').describe('`template_id` of the last template of the previous page.'),
  limit: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(MAX_PAGE, `must be ${MAX_PAGE} or less`)
    .default(MAX_PAGE)
    .describe('Maximum templates per page.'),
  deleted: yesNo.describe('`false` omits deleted templates.'),
  search: nameSearch,
});

const syncAnswer = z.object({
  found: out.count('Templates on the platform.', 12),
  added: out.count('New templates, counted for each business number of the portfolio.', 2),
  changed: out.count('Templates whose status changed, including those deleted on the platform.', 1),
  unsupported: out.texts(
    'Names of templates with components that this service does not support; they are omitted.',
    [],
  ),
});

const templateId = textOf('`template_id` of the template.');

interface ChatTemplatesDeps extends Pick<CoreContext, 'clock' | 'numbers'> {
  readonly templates: Templates;
  readonly chatNumbers: ChatNumbers;
}

const route = resource<ChatTemplatesDeps>('chat');

/** Templates: accounts write them here, and the platform reviews them. */
export const chatTemplateRoutes = [
  route('POST /v1/chat/templates', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'createTemplate',
    title: 'Create a template',
    description:
      'Checks the template and submits it to the platform for review. Its status is 0 until the review ends; the webhook `template.status` reports each change.',
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
    access: dailyWork(changes('sender', 'send')),
    operationId: 'editTemplate',
    title: 'Edit a template',
    description:
      'Replaces the components of a template on the platform, for all business numbers of its portfolio. The platform reviews it again; its status is 0 until then. Number, name, language and category cannot change; `editable` says whether the template can be edited now.',
    refusals: ['not-now'],
    id: templateId,
    body: templateBody,
    answer: templateWithHistory,
    handler: async ({ accountId, id, body: given }, deps) => {
      const template = await find(deps, accountId, id);
      if (deps.numbers.parse(given.phone)?.digits !== template.phone) {
        throw badField('phone', 'cannot be changed', 'fixed');
      }
      const changed = await deps.templates.edit(accountId, template.templateId, draftOf(given));
      return withHistory(deps, changed!);
    },
  }),
  route('GET /v1/chat/templates', {
    access: reads(['agent', 'viewer'], 'read', 'send'),
    operationId: 'browseTemplates',
    title: 'List chat templates',
    description: 'Lists the templates of the account in the order of creation, including deleted ones.',
    query: templatesPage,
    answer: rowsAnswer('templates', templateAnswer),
    handler: async ({ accountId, query: { phone, after, limit, deleted, search } }, deps) => {
      const number = phone === '' ? undefined : await ownNumber(deps, accountId, phone);
      const [last] = after === '' ? [] : await deps.templates.list(accountId, undefined, after);
      if (after !== '' && !last) throw badField('after', 'no template of the account', 'unknown');
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
    access: reads(['agent', 'viewer'], 'read', 'send'),
    operationId: 'showTemplate',
    title: 'Show a template',
    description: 'Returns a template with its status history.',
    id: templateId,
    answer: templateWithHistory,
    handler: async ({ accountId, id }, deps) => withHistory(deps, await find(deps, accountId, id)),
  }),
  route('DELETE /v1/chat/templates/:id', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'deleteTemplate',
    title: 'Delete a template',
    description:
      'Deletes the template on the platform, for all business numbers of its portfolio. It remains listed with status 9.',
    refusals: ['not-now'],
    id: templateId,
    answer: templateWithHistory,
    handler: async ({ accountId, id }, deps) =>
      withHistory(deps, found(await deps.templates.remove(accountId, id), 'template')),
  }),
  route('POST /v1/chat/numbers/:id/sync', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'syncTemplates',
    title: 'Synchronize templates with the platform',
    description:
      'Synchronizes the templates of a portfolio with the platform: templates created, changed or deleted there. The service also does this every hour.',
    refusals: ['not-now'],
    id: textOf('Business number.'),
    answer: syncAnswer,
    handler: async ({ accountId, id }, deps) => {
      const number = await numberOf(deps, accountId, id);
      const portfolio = number && (await deps.chatNumbers.portfolio(number.portfolioId));
      const synced = await deps.templates.sync(found(portfolio, 'business number'));
      return { ...synced, unsupported: [...synced.unsupported] };
    },
  }),
];

/** Returns a business number of the account, in any spelling; undefined for other numbers. */
async function numberOf(
  { chatNumbers, numbers }: ChatTemplatesDeps,
  accountId: number,
  phone: string,
): Promise<ChatNumber | undefined> {
  const digits = numbers.parse(phone)?.digits;
  const number = digits === undefined ? undefined : await chatNumbers.find(digits);
  return number?.accountId === accountId ? number : undefined;
}

/** As `numberOf`, for a field `phone`. Throws Refusal `bad-field` for other numbers. */
async function ownNumber(deps: ChatTemplatesDeps, accountId: number, phone: string): Promise<ChatNumber> {
  const number = await numberOf(deps, accountId, phone);
  if (!number) throw badField('phone', 'no business number of the account', 'unknown');
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
