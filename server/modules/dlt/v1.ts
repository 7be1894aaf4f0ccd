import { z } from 'zod';
import { changes, dailyWork, reads } from '../../api/access/rules.ts';
import { out } from '../../api/openapi/out.ts';
import { dltId, dltMeanings } from '../../api/v1/kit/dlt-fields.ts';
import { field, listOf } from '../../api/v1/kit/fields.ts';
import { resource } from '../../api/v1/kit/route.ts';
import { storable } from '../../api/v1/kit/text-fields.ts';
import { MAX_GIVEN_SOURCE } from '../../engine/messages/send-request.ts';
import type { CoreContext } from '../../run/services.ts';
import type { AccountDltIds } from './dlt-ids.ts';

const MAX_SENDERS = 500;

const meanings = {
  entity: `${dltMeanings.entity} Of messages whose sender has no other; null: none.`,
  senders: 'Senders with their own ids. A given list replaces the whole list.',
  source: 'Sender: a number or a name, compared regardless of case.',
  senderEntity: 'Entity id of its messages; null: that of the account.',
  senderTemplate: 'Template id of its messages that name none, such as one-time codes; null: none.',
};

const idsBody = z.object({
  entity_id: field(dltId.nullable(), meanings.entity, '1101123456789012345').optional(),
  senders: field(
    listOf(
      z.object({
        source: field(storable(MAX_GIVEN_SOURCE).min(1, 'missing'), meanings.source, 'SHOPIN'),
        entity_id: field(dltId.nullable().default(null), meanings.senderEntity, null),
        template_id: field(dltId.nullable().default(null), meanings.senderTemplate, '1107987654321098765'),
      }),
      MAX_SENDERS,
    ),
    meanings.senders,
    [{ source: 'SHOPIN', template_id: '1107987654321098765' }],
  ).optional(),
});

const idsAnswer = z.object({
  entity_id: out.maybeText(meanings.entity, '1101123456789012345'),
  senders: z
    .array(
      z.object({
        source: out.text(meanings.source, 'SHOPIN'),
        entity_id: out.maybeText(meanings.senderEntity, null),
        template_id: out.maybeText(meanings.senderTemplate, '1107987654321098765'),
      }),
    )
    .describe(meanings.senders),
});

const show = ({ entity_id, senders }: AccountDltIds): z.output<typeof idsAnswer> => ({
  entity_id,
  senders: senders.map(({ source, entity_id: entity, template_id }) => ({
    source,
    entity_id: entity,
    template_id,
  })),
});

const route = resource<Pick<CoreContext, 'dltIds'>>('account', {
  'public ids of registrations': ['entity_id'],
});

/** Ids of accounts on India's DLT platforms. */
export const dltRoutes = [
  route('GET /v1/dlt-ids', {
    access: reads('viewer', 'read', 'send'),
    operationId: 'showDltIds',
    title: 'Show the DLT ids',
    description:
      "Returns the ids of the account and its senders on India's DLT platforms, which carriers require for messages to Indian numbers.",
    answer: idsAnswer,
    handler: async ({ accountId }, { dltIds }) => show(await dltIds.find(accountId)),
  }),
  route('PATCH /v1/dlt-ids', {
    access: dailyWork(changes('owner')),
    operationId: 'changeDltIds',
    title: 'Change the DLT ids',
    description: 'Updates the given fields. They apply to sends that are accepted afterwards.',
    body: idsBody,
    answer: idsAnswer,
    handler: async ({ accountId, body, audit }, { dltIds }) => {
      const { before, after } = await dltIds.change(accountId, body);
      audit({ before: show(before), after: show(after) });
      return show(after);
    },
  }),
];
