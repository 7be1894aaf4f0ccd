import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ChatNumber, ChatNumbers } from '../../channels/chat/numbers.ts';
import type { Template, Templates } from '../../channels/chat/templates.ts';
import type { Clock } from '../../clock.ts';
import { Refusal } from '../../errors.ts';
import type { NumberReader } from '../../numbers/numbers.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { passOver, takeBodies } from './bodies.ts';
import {
  draftOf,
  showHistory,
  showTemplate,
  templateAnswer,
  templateBody,
  templateWithHistory,
} from './chat-template-fields.ts';
import { read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { yesNo } from './fields.ts';
import { withBody } from './json-body.ts';

const PAGE_MOST = 500;

const page = z.object({
  phone: z.string().default('').describe('A business number: its templates alone.'),
  after: z.string().default('').describe('The `template_id` of the last template of the page before.'),
  limit: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(PAGE_MOST, `must be ${PAGE_MOST} or less`)
    .default(PAGE_MOST)
    .describe('Templates of a page.'),
  deleted: yesNo.describe('`false`: without those that are deleted.'),
});

const syncAnswer = z.object({
  found: answered(z.int(), 'Templates on the platform.', 12),
  added: answered(z.int(), 'Of them new here, once for each business number of the portfolio.', 2),
  changed: answered(z.int(), 'Have another status now, those that are gone included.', 1),
  unsupported: answered(
    z.array(z.string()),
    'Names of those with parts that this service cannot send; they are left out.',
    [],
  ),
});

const pathOfTemplate = 'The `template_id` of the template.';

type WithId = { Params: { id: string } };

export interface ChatTemplatesParts {
  readonly templates: Templates;
  readonly chatNumbers: ChatNumbers;
  readonly numbers: NumberReader;
  readonly clock: Clock;
}

/**
 * Templates under /v1, a part of the door:
 * - `GET /chat/templates?phone=&after=&limit=`: templates, in the order in which they were made
 * - `GET /chat/templates/:id`: one of them, with every status that it had
 * - `POST /chat/templates`: makes one and submits it, which goes on by itself while the platform is away
 * - `PUT /chat/templates/:id`: changes one, which is reviewed anew
 * - `DELETE /chat/templates/:id`: deletes one, on the platform too
 * - `POST /chat/numbers/:id/sync`: fetches those of a business number's portfolio from the platform
 */
export function chatTemplatesPart(parts: ChatTemplatesParts): V1Part {
  const { templates, chatNumbers, numbers, clock } = parts;
  return (app, accountOf) => {
    async function numberOf(request: FastifyRequest, phone: string): Promise<ChatNumber | undefined> {
      const digits = numbers.parse(phone)?.digits;
      const number = digits === undefined ? undefined : await chatNumbers.find(digits);
      return number?.accountId === accountOf(request).id ? number : undefined;
    }

    async function withHistory(template: Template): Promise<z.output<typeof templateWithHistory>> {
      const { accountId, id } = template;
      const [waiting, history] = await Promise.all([
        templates.waiting(accountId),
        templates.history(accountId, id),
      ]);
      return { ...showTemplate(template, waiting, clock.now()), history: showHistory(history) };
    }

    app.post(
      '/chat/templates',
      withBody(
        described({
          chapter: 'chat',
          id: 'createTemplate',
          title: 'Make a template',
          description:
            'Checks the template and submits it to the platform for review. Its status is 0 until the review is over; the webhook `template.status` tells each change.',
          answer: templateWithHistory,
          status: 202,
          refusals: ['not-now'],
        }),
        templateBody,
      ),
      async (request, reply) => {
        const given = read(templateBody, request.body);
        const number = await numberOf(request, given.phone);
        if (!number) throw new Refusal('bad-field', 'no business number of the account', 'phone');
        const made = await templates.create(number, draftOf(given));
        return reply.code(202).send(await withHistory(made));
      },
    );

    app.put<WithId>(
      '/chat/templates/:id',
      withBody(
        described({
          chapter: 'chat',
          id: 'editTemplate',
          title: 'Change a template',
          description:
            'Gives a template other parts, on the platform first, for every business number of its portfolio. It is reviewed anew, and its status is 0 until then. Number, name, language and category have to be the ones that it has; `editable` says whether it can be changed.',
          pathId: pathOfTemplate,
          answer: templateWithHistory,
          refusals: ['not-found', 'not-now'],
        }),
        templateBody,
      ),
      async (request) => {
        const given = read(templateBody, request.body);
        const { id: accountId } = accountOf(request);
        const [template] = await templates.list(accountId, undefined, request.params.id);
        if (!template) throw new NotFound('no such template');
        if (numbers.parse(given.phone)?.digits !== template.phone) {
          throw new Refusal('bad-field', 'cannot be changed', 'phone');
        }
        const changed = await templates.edit(accountId, template.templateId, draftOf(given));
        return withHistory(changed!);
      },
    );

    app.register(async (bodiless) => {
      takeBodies(bodiless, passOver);

      bodiless.get(
        '/chat/templates',
        described({
          chapter: 'chat',
          id: 'browseTemplates',
          title: 'Templates with all their parts',
          description:
            'The templates of the account in the order in which they were made, those that are deleted included.',
          query: page,
          answer: z.object({ templates: z.array(templateAnswer) }),
        }),
        async (request) => {
          const { phone, after, limit, deleted } = read(page, request.query);
          const { id: accountId } = accountOf(request);
          const number = phone === '' ? undefined : await numberOf(request, phone);
          if (phone !== '' && !number)
            throw new Refusal('bad-field', 'no business number of the account', 'phone');
          const [last] = after === '' ? [] : await templates.list(accountId, undefined, after);
          if (after !== '' && !last) throw new Refusal('bad-field', 'no template of the account', 'after');
          const [found, waiting] = await Promise.all([
            templates.list(accountId, number?.phone, undefined, { after: last?.id ?? 0, limit, deleted }),
            templates.waiting(accountId),
          ]);
          return { templates: found.map((template) => showTemplate(template, waiting, clock.now())) };
        },
      );

      bodiless.get<WithId>(
        '/chat/templates/:id',
        described({
          chapter: 'chat',
          id: 'showTemplate',
          title: 'A template with its history',
          description: 'One template, with every status that it had.',
          pathId: pathOfTemplate,
          answer: templateWithHistory,
          refusals: ['not-found'],
        }),
        async (request) => {
          const [template] = await templates.list(accountOf(request).id, undefined, request.params.id);
          if (!template) throw new NotFound('no such template');
          return withHistory(template);
        },
      );

      bodiless.delete<WithId>(
        '/chat/templates/:id',
        described({
          chapter: 'chat',
          id: 'deleteTemplate',
          title: 'Delete a template',
          description:
            'Deletes the template on the platform, for every business number of its portfolio. It stays here with status 9.',
          pathId: pathOfTemplate,
          answer: templateWithHistory,
          refusals: ['not-found', 'not-now'],
        }),
        async (request) => {
          const template = await templates.remove(accountOf(request).id, request.params.id);
          if (!template) throw new NotFound('no such template');
          return withHistory(template);
        },
      );

      bodiless.post<WithId>(
        '/chat/numbers/:id/sync',
        described({
          chapter: 'chat',
          id: 'syncTemplates',
          title: 'Fetch templates from the platform',
          description:
            'Brings the templates of the portfolio of a business number up to what the platform has: those made elsewhere, those that were changed, those that are gone. It is done by itself every hour.',
          pathId: 'The business number.',
          answer: syncAnswer,
          refusals: ['not-found', 'not-now'],
        }),
        async (request): Promise<z.output<typeof syncAnswer>> => {
          const number = await numberOf(request, request.params.id);
          const portfolio = number && (await chatNumbers.portfolio(number.portfolioId));
          if (!portfolio) throw new NotFound('no such business number');
          const { found, added, changed, unsupported } = await templates.sync(portfolio);
          return { found, added, changed, unsupported: [...unsupported] };
        },
      );
    });
  };
}
