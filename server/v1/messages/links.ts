import { z } from 'zod';
import type { CoreContext } from '../../core.ts';
import { timeOfId } from '../../ids.ts';
import { iso, out } from '../../interfaces/openapi/out.ts';
import { sensitive } from '../../interfaces/v1/field-rights.ts';
import {
  idOf,
  notFound,
  page,
  pageAnswer,
  pageLimit,
  pageOf,
  readPage,
  rowsAnswer,
} from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import {
  type Counts,
  clicksByHour,
  clicksByLink,
  clicksByRecipient,
  hasShipment,
  linkedShipments,
  type RecipientClicks,
} from '../../links/click-report.ts';
import { displayRecipient } from '../../numbers/numbers.ts';
import { channelField, channelName } from './fields.ts';

const MAX_ROWS = 1_000;
const MAX_SHIPMENTS = 100;

const shipmentsPage = z.object({
  ...page(MAX_SHIPMENTS),
});

const clicksPage = z.object({
  after: z
    .string()
    .regex(/^(\d{1,16}-\d{1,16})?$/, 'must be what `next` of the page before says')
    .default('')
    .transform((text) => {
      const [messageId = 0, linkId = 0] = text.split('-').map(Number);
      return { messageId, linkId };
    })
    .describe('`next` of the page before.'),
  limit: pageLimit(MAX_ROWS),
});

const byVisitor = (person: number, preview: number) =>
  z.object({
    person: out.count('By browsers.', person),
    preview: out.count('By programs that show what a link leads to.', preview),
    bot: out.count('By other programs.', 0),
  });
const linkAnswer = z.object({
  id: out.text('Its id.', '1774337460000005'),
  key: out.text('Its `id` in the request: `[link-<id>]`.', '1'),
  url: sensitive(out.text('Where it leads.', 'https://example.com/spring'), 'link-target'),
  clicks: byVisitor(31, 12).describe('How often it was followed.'),
  recipients: byVisitor(24, 11).describe('By how many recipients.'),
});
const clickAnswer = z.object({
  phone: out.maybeText('The recipient.', '0501234567'),
  external_id: out.maybeText('The `id` of the phone in the request.', 'order-17'),
  link_id: out.id('The link.', '1774337460000005'),
  key: out.maybeText('Its `id` in the request.', '1'),
  clicks: byVisitor(2, 1).describe('How often the recipient followed it.'),
  first_at: out.instant('ISO 8601.'),
  last_at: out.instant('ISO 8601.', '2026-03-24T08:02:00.000Z'),
});
const hourAnswer = z.object({
  at: out.time('When the hour begins'),
  clicks: byVisitor(12, 3).describe('How often links were followed in it.'),
});
const shipmentAnswer = z.object({
  id: out.id('Its id.', '1774337460000001'),
  channel: channelField,
  campaign_name: out.maybeText('`campaign_name` of the send.', 'Spring'),
  messages: out.count('Messages that are made.', 1_200),
  accepted_at: out.time('When it was accepted'),
  links: out.count('How many links it has.', 2),
  url: sensitive(out.text('Where the first of them leads.', 'https://example.com/spring'), 'link-target'),
});

type LinkedShipment = Awaited<ReturnType<typeof linkedShipments>>[number];

const showClick = serializer(clickAnswer, ({ phone }: RecipientClicks) => ({
  phone: phone && displayRecipient(phone),
}));
const showShipment = serializer(shipmentAnswer, ({ id, channel }: LinkedShipment) => ({
  channel: channelName(channel),
  accepted_at: iso(timeOfId(id)),
}));

type LinksDeps = Pick<CoreContext, 'sql' | 'links'>;

const route = resource<LinksDeps>('reports');

/** Links of shipments and who followed them, by kind of visitor. */
export const linkRoutes = [
  route('GET /v1/links', {
    operationId: 'listLinkedShipments',
    title: 'List shipments with links',
    description: 'The newest first. `/v1/shipments/{id}/links` has the clicks of their links.',
    query: shipmentsPage,
    answer: pageAnswer('shipments', shipmentAnswer),
    handler: async ({ accountId, query: { after = Number.MAX_SAFE_INTEGER, limit } }, { sql }) =>
      pageOf(
        'shipments',
        showShipment,
        readPage(limit, (most) => linkedShipments(sql, accountId, after, most)),
      ),
  }),
  route('GET /v1/shipments/:id/clicks/hours', {
    operationId: 'listClickHours',
    title: 'Count clicks of a shipment by hour',
    description: 'In the order of time; hours in which nobody followed a link are left out.',
    id: idOf('shipment', { description: 'The `shipment_id` that the send answered.' }),
    answer: rowsAnswer('hours', hourAnswer),
    handler: async ({ accountId, id }, deps) => {
      await check(deps, accountId, id);
      const hours = await clicksByHour(deps.sql, accountId, id);
      return { hours: hours.map(({ at, clicks }) => ({ at: iso(at), clicks })) };
    },
  }),
  route('GET /v1/shipments/:id/links', {
    operationId: 'listLinks',
    title: 'List links of a shipment',
    description: 'Every link of it with its clicks, also those that nobody followed.',
    id: idOf('shipment', { description: 'The `shipment_id` that the send answered.' }),
    answer: rowsAnswer('links', linkAnswer),
    handler: async ({ accountId, id }, deps) => {
      await check(deps, accountId, id);
      const [all, followed] = await Promise.all([
        deps.links.ofShipment(accountId, id),
        clicksByLink(deps.sql, accountId, id),
      ]);
      const countsOf = new Map(followed.map((counts) => [counts.linkId, counts]));
      return {
        links: all.map(({ id: linkId, key, url }) => {
          const { clicks, recipients } = countsOf.get(linkId) ?? { clicks: none, recipients: none };
          return { id: String(linkId), key, url, clicks, recipients };
        }),
      };
    },
  }),
  route('GET /v1/shipments/:id/clicks', {
    operationId: 'listClicks',
    title: 'List recipients who clicked',
    description:
      'What each recipient did with each link, in the order of the messages; who followed none has no row.',
    id: idOf('shipment', { description: 'The `shipment_id` that the send answered.' }),
    query: clicksPage,
    answer: pageAnswer('clicks', clickAnswer),
    handler: async ({ accountId, id, query: { after, limit } }, deps) => {
      await check(deps, accountId, id);
      const keys = new Map((await deps.links.ofShipment(accountId, id)).map((link) => [link.id, link.key]));
      return pageOf(
        'clicks',
        (row) => showClick({ ...row, key: keys.get(row.linkId) ?? null }),
        readPage(
          limit,
          (most) => clicksByRecipient(deps.sql, accountId, id, after, most),
          (last) => `${last.messageId}-${last.linkId}`,
        ),
      );
    },
  }),
];

async function check({ sql }: LinksDeps, accountId: number, id: number): Promise<void> {
  if (!(await hasShipment(sql, accountId, id))) throw notFound('shipment');
}

const none: Counts = { person: 0, preview: 0, bot: 0 };
