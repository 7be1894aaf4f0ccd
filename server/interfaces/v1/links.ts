import { z } from 'zod';
import type { Sql } from '../../database/connection.ts';
import { timeOfId } from '../../ids.ts';
import {
  type Counts,
  clicksByHour,
  clicksByLink,
  clicksByRecipient,
  hasShipment,
  linkedShipments,
  type RecipientClicks,
} from '../../links/click-report.ts';
import type { Links } from '../../links/links.ts';
import { displayRecipient } from '../../numbers/numbers.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { pageLimit, pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { sensitive } from './field-rights.ts';
import { afterId, cut, iso, isoTime, next } from './fields.ts';
import { channelField, channelName } from './message-fields.ts';

const ROWS_MOST = 1_000;
const SHIPMENTS_MOST = 100;

const shipmentsPage = z.object({
  after: afterId,
  limit: pageLimit(SHIPMENTS_MOST).describe('Rows of a page.'),
});

const page = z.object({
  after: z
    .string()
    .regex(/^(\d{1,16}-\d{1,16})?$/, 'must be what `next` of the page before says')
    .default('')
    .transform((text) => {
      const [messageId = 0, linkId = 0] = text.split('-').map(Number);
      return { messageId, linkId };
    })
    .describe('`next` of the page before.'),
  limit: pageLimit(ROWS_MOST).describe('Rows of a page.'),
});

const byVisitor = (person: number, preview: number) =>
  z.object({
    person: answered(z.int(), 'By browsers.', person),
    preview: answered(z.int(), 'By programs that show what a link leads to.', preview),
    bot: answered(z.int(), 'By other programs.', 0),
  });
const linkAnswer = z.object({
  id: answered(z.string(), 'Its id.', '1774337460000005'),
  key: answered(z.string(), 'Its `id` in the request: `[link-<id>]`.', '1'),
  url: sensitive(answered(z.string(), 'Where it leads.', 'https://example.com/spring'), 'link-target'),
  clicks: byVisitor(31, 12).describe('How often it was followed.'),
  recipients: byVisitor(24, 11).describe('By how many recipients.'),
});
const clickAnswer = z.object({
  phone: answered(z.string().nullable(), 'The recipient.', '0501234567'),
  external_id: answered(z.string().nullable(), 'The `id` of the phone in the request.', 'order-17'),
  link_id: answered(z.string(), 'The link.', '1774337460000005'),
  key: answered(z.string().nullable(), 'Its `id` in the request.', '1'),
  clicks: byVisitor(2, 1).describe('How often the recipient followed it.'),
  first_at: answered(z.string(), 'ISO 8601.', '2026-03-24T07:31:00.000Z'),
  last_at: answered(z.string(), 'ISO 8601.', '2026-03-24T08:02:00.000Z'),
});
const hourAnswer = z.object({
  at: isoTime('When the hour begins'),
  clicks: byVisitor(12, 3).describe('How often links were followed in it.'),
});
const shipmentAnswer = z.object({
  id: answered(z.string(), 'Its id.', '1774337460000001'),
  channel: channelField,
  campaign_name: answered(z.string().nullable(), '`campaign_name` of the send.', 'Spring'),
  messages: answered(z.int(), 'Messages that are made.', 1_200),
  accepted_at: isoTime('When it was accepted'),
  links: answered(z.int(), 'How many links it has.', 2),
  url: sensitive(
    answered(z.string(), 'Where the first of them leads.', 'https://example.com/spring'),
    'link-target',
  ),
});
const pathOfShipment = 'The `shipment_id` that the send answered.';

type WithId = { Params: { id: string } };

/**
 * Links of shipments and who followed them, under /v1, a part of the door. Numbers are by kind of visitor: `person`,
 * `preview`, `bot`.
 * - `GET /links?after=&limit=`: shipments that have links, the newest first
 * - `GET /shipments/:id/clicks/hours`: its clicks by hour
 * - `GET /shipments/:id/links`: every link of a shipment, with its clicks and how many recipients followed it
 * - `GET /shipments/:id/clicks?after=&limit=`: what each recipient did with each link, in the order of the messages;
 *   `next` is the `after` of the following page, null on the last one
 */
export function linksPart({ sql, links }: { readonly sql: Sql; readonly links: Links }): V1Part {
  async function find(accountId: number, text: string): Promise<number> {
    const id = pathId(text, 'shipment');
    if (!(await hasShipment(sql, accountId, id))) throw new NotFound('no such shipment');
    return id;
  }

  return (app, accountOf) => {
    app.get(
      '/links',
      described({
        chapter: 'reports',
        id: 'listLinkedShipments',
        title: 'Shipments with links',
        description: 'The newest first. What became of the links is told by `/v1/shipments/{id}/links`.',
        query: shipmentsPage,
        answer: z.object({ shipments: z.array(shipmentAnswer), next }),
      }),
      async (request) => {
        const { after, limit } = read(shipmentsPage, request.query);
        const before = after ?? Number.MAX_SAFE_INTEGER;
        const shown = cut(await linkedShipments(sql, accountOf(request).id, before, limit + 1), limit);
        return {
          shipments: shown.rows.map(({ id, channel, campaignName, messages, links: count, url }) => ({
            id: String(id),
            channel: channelName(channel),
            campaign_name: campaignName,
            messages,
            accepted_at: iso(timeOfId(id)),
            links: count,
            url,
          })),
          next: shown.next,
        };
      },
    );

    app.get<WithId>(
      '/shipments/:id/clicks/hours',
      described({
        chapter: 'reports',
        id: 'listClickHours',
        title: 'Clicks of a shipment by hour',
        description: 'In the order of time; hours in which nobody followed a link are left out.',
        pathId: pathOfShipment,
        answer: z.object({ hours: z.array(hourAnswer) }),
        refusals: ['not-found'],
      }),
      async (request) => {
        const account = accountOf(request);
        const id = await find(account.id, request.params.id);
        const hours = await clicksByHour(sql, account.id, id);
        return { hours: hours.map(({ at, clicks }) => ({ at: iso(at), clicks })) };
      },
    );

    app.get<WithId>(
      '/shipments/:id/links',
      described({
        chapter: 'reports',
        id: 'listLinks',
        title: 'Links of a shipment',
        description: 'Every link of it with its clicks, also those that nobody followed.',
        pathId: pathOfShipment,
        answer: z.object({ links: z.array(linkAnswer) }),
        refusals: ['not-found'],
      }),
      async (request) => {
        const account = accountOf(request);
        const id = await find(account.id, request.params.id);
        const [all, followed] = await Promise.all([
          links.ofShipment(account.id, id),
          clicksByLink(sql, account.id, id),
        ]);
        const countsOf = new Map(followed.map((counts) => [counts.linkId, counts]));
        return {
          links: all.map(({ id: linkId, key, url }) => {
            const { clicks, recipients } = countsOf.get(linkId) ?? { clicks: none, recipients: none };
            return { id: String(linkId), key, url, clicks, recipients };
          }),
        };
      },
    );

    app.get<WithId>(
      '/shipments/:id/clicks',
      described({
        chapter: 'reports',
        id: 'listClicks',
        title: 'Who followed the links of a shipment',
        description:
          'What each recipient did with each link, in the order of the messages; who followed none has no row.',
        pathId: pathOfShipment,
        query: page,
        answer: z.object({
          clicks: z.array(clickAnswer),
          next: answered(z.string().nullable(), '`after` of the following page; null on the last one.', null),
        }),
        refusals: ['not-found'],
      }),
      async (request) => {
        const { after, limit } = read(page, request.query);
        const account = accountOf(request);
        const id = await find(account.id, request.params.id);
        const [all, found] = await Promise.all([
          links.ofShipment(account.id, id),
          // One more than is shown: whether there is a following page.
          clicksByRecipient(sql, account.id, id, after, limit + 1),
        ]);
        const keys = new Map(all.map((link) => [link.id, link.key]));
        const rows = found.slice(0, limit);
        const last = found.length > limit ? rows.at(-1)! : undefined;
        return {
          clicks: rows.map((row) => show(row, keys.get(row.linkId))),
          next: last ? `${last.messageId}-${last.linkId}` : null,
        };
      },
    );
  };
}

const none: Counts = { person: 0, preview: 0, bot: 0 };

function show(row: RecipientClicks, key: string | undefined): z.output<typeof clickAnswer> {
  return {
    phone: row.phone && displayRecipient(row.phone),
    external_id: row.externalId,
    link_id: String(row.linkId),
    key: key ?? null,
    clicks: row.clicks,
    first_at: new Date(row.firstAt).toISOString(),
    last_at: new Date(row.lastAt).toISOString(),
  };
}
