import { z } from 'zod';
import { reads } from '../../api/access/rules.ts';
import { iso, out } from '../../api/openapi/out.ts';
import { sensitive } from '../../api/v1/field-rights.ts';
import {
  idOf,
  notFound,
  page,
  pageAnswer,
  pageLimit,
  pageOf,
  readPage,
  rowsAnswer,
} from '../../api/v1/kit/fields.ts';
import { resource } from '../../api/v1/kit/route.ts';
import { serializer } from '../../api/v1/kit/serializer.ts';
import { timeOfId } from '../../kit/ids.ts';
import { displayRecipient } from '../../kit/numbers/phone-numbers.ts';
import type { CoreContext } from '../../run/services.ts';
import { channelField, channelName } from '../messages/v1/fields.ts';
import {
  type Counts,
  clicksByHour,
  clicksByLink,
  clicksByRecipient,
  hasShipment,
  linkedShipments,
  type RecipientClicks,
} from './click-report.ts';

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
    .describe('`next` of the previous page.'),
  limit: pageLimit(MAX_ROWS),
});

const byVisitor = (person: number, preview: number) =>
  z.object({
    person: out.count('Clicks in browsers.', person),
    preview: out.count('Clicks of programs that preview links.', preview),
    bot: out.count('Clicks of other programs.', 0),
  });
const linkAnswer = z.object({
  id: out.text('Id of the link.', '1774337460000005'),
  key: out.text('`id` of the link in the request: `[link-<id>]`.', '1'),
  url: sensitive(out.text('Address of the link.', 'https://example.com/spring'), 'link-target'),
  clicks: byVisitor(31, 12).describe('Clicks.'),
  recipients: byVisitor(24, 11).describe('Recipients who clicked.'),
});
const clickAnswer = z.object({
  phone: out.maybeText('Recipient.', '0501234567'),
  external_id: out.maybeText('`id` of the phone in the request.', 'order-17'),
  link_id: out.id('Id of the link.', '1774337460000005'),
  key: out.maybeText('`id` of the link in the request.', '1'),
  clicks: byVisitor(2, 1).describe('Clicks of the recipient.'),
  first_at: out.instant('Time of creation, ISO 8601.'),
  last_at: out.instant('Time of creation, ISO 8601.', '2026-03-24T08:02:00.000Z'),
});
const hourAnswer = z.object({
  at: out.time('Start of the hour'),
  clicks: byVisitor(12, 3).describe('Clicks in the hour.'),
});
const shipmentAnswer = z.object({
  id: out.id('Id of the shipment.', '1774337460000001'),
  channel: channelField,
  campaign_name: out.maybeText('`campaign_name` of the send.', 'Spring'),
  messages: out.count('Messages created so far.', 1_200),
  accepted_at: out.time('Time of acceptance'),
  links: out.count('Number of links.', 2),
  url: sensitive(out.text('Address of its first link.', 'https://example.com/spring'), 'link-target'),
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

/** Links of shipments and their clicks, by kind of visitor. */
export const linkRoutes = [
  route('GET /v1/links', {
    access: reads('viewer', 'read'),
    operationId: 'listLinkedShipments',
    title: 'List shipments with links',
    description:
      'Lists shipments with links, newest first. `/v1/shipments/{id}/links` has the clicks of their links.',
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
    access: reads('viewer', 'read'),
    operationId: 'listClickHours',
    title: 'Count clicks of a shipment by hour',
    description: 'Returns the clicks by hour, oldest first; hours without clicks are omitted.',
    id: idOf('shipment', { description: '`shipment_id` in the response to the send.' }),
    answer: rowsAnswer('hours', hourAnswer),
    handler: async ({ accountId, id }, deps) => {
      await check(deps, accountId, id);
      const hours = await clicksByHour(deps.sql, accountId, id);
      return { hours: hours.map(({ at, clicks }) => ({ at: iso(at), clicks })) };
    },
  }),
  route('GET /v1/shipments/:id/links', {
    access: reads('viewer', 'read'),
    operationId: 'listLinks',
    title: 'List links of a shipment',
    description: 'Lists all links of a shipment with their clicks.',
    id: idOf('shipment', { description: '`shipment_id` in the response to the send.' }),
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
    access: reads('viewer', 'read'),
    operationId: 'listClicks',
    title: 'List recipients who clicked',
    description:
      'Lists the clicks by recipient and link, in the order of the messages. Recipients without a click are omitted.',
    id: idOf('shipment', { description: '`shipment_id` in the response to the send.' }),
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
