import { z } from 'zod';
import { formatAmount, parseAmount } from '../../accounts/money.ts';
import type { CampaignControl } from '../../campaigns/control.ts';
import type { Sql } from '../../database/connection.ts';
import { timeOfId } from '../../ids.ts';
import type { Canceller } from '../../messages/cancel.ts';
import { lanes } from '../../messages/lanes.ts';
import type { Counted, ShipmentProgress } from '../../messages/shipment-progress.ts';
import {
  costOf,
  findShipment,
  listShipments,
  messagesOfShipment,
  type ShipmentMessage,
  type ShipmentRow,
  shipmentState,
} from '../../messages/shipments.ts';
import { type MessageState, stateOf } from '../../messages/states.ts';
import { displayRecipient } from '../../numbers/numbers.ts';
import { statusTexts } from '../../statuses.ts';
import { type CsvChunk, writeCsv } from '../../text/csv.ts';
import { answered } from '../openapi/shown.ts';
import { sensitive } from './field-rights.ts';
import { found, idOf, iso, isoTime, maybeIso, out, page, pageAnswer, pageOf } from './kit/fields.ts';
import { csvFile } from './kit/files.ts';
import { resource } from './kit/route.ts';
import {
  channelField,
  channelMeaning,
  channelName,
  channelNames,
  channelNumber,
  failureAnswer,
  showFailure,
  shownText,
} from './message-fields.ts';

const ROWS_MOST = 100;

const shipmentsPage = z.object({
  kind: z
    .enum(['campaigns', 'all'])
    .default('campaigns')
    .describe('`campaigns`: sends to many, or with a name; `all`: also each single message.'),
  channel: z.enum(channelNames).optional().describe(channelMeaning),
  name: z.string().max(50).optional().describe('`campaign_name` of the send.'),
  ...page(ROWS_MOST),
});

const failuresAnswer = z
  .array(
    failureAnswer.extend({
      status: out.count('As in delivery reports.', 103),
      word: out.maybeText("The network's own word, or the reason of a chat message.", 'EXPIRED'),
      count: out.count('How many messages.', 7),
    }),
  )
  .describe('Messages that failed, by status and word, the most frequent first.');

/** Messages of a shipment by what became of them; `showProgress` gives it. */
export const progressAnswer = z.object({
  waiting: out.count('Not handed to a carrier yet.', 120),
  handed_over: out.count('With a carrier, and nothing known beyond that.', 80),
  delivered: out.count('Delivered, and not known to be read.', 600),
  read: out.count('Read.', 390),
  failed: out.count('Failed.', 7),
  cancelled: out.count('Cancelled before they were handed over.', 3),
  failures: failuresAnswer,
  counted_at: isoTime('When they were counted'),
});

const states = ['scheduled', 'running', 'paused', 'cancelled', 'finished'] as const;

/** A shipment; `showShipment` gives it. */
export const shipmentAnswer = z.object({
  id: out.text('Its id.', '1774337460000001'),
  channel: channelField,
  campaign_name: out.maybeText('`campaign_name` of the send.', 'Spring'),
  source: out.maybeText(
    'The sender of its first message, the business number, or the address of mails.',
    'Shop',
  ),
  state: answered(
    z.enum(states),
    '`scheduled`, `running`, `paused`, `cancelled`, or `finished`: none of its messages waits.',
    'running',
  ),
  messages: out.count('Messages that are made.', 1_200),
  unmade: out.count('Contacts of its lists that have no message yet, as far as known.', 0),
  cost: out.text('Credits that it costs, with those held for `unmade`.', '300'),
  accepted_at: isoTime('When it was accepted'),
  due_at: isoTime('When it begins'),
  valid_until: isoTime('How long delivery is tried'),
  progress: progressAnswer
    .nullable()
    .describe('Null for a large one that is just being counted for the first time: ask again.'),
});

const detailAnswer = shipmentAnswer.extend({
  text: sensitive(
    out.maybeText('What its messages have in common; null when each has its own.', 'Spring is here'),
    'message-text',
  ),
});

const cancelAnswer = z.object({
  id: out.text('Its id.', '1774337460000001'),
  cancelled: out.count('Recipients that get nothing, and whose credit went back.', 800),
  handed_over: out.count('Messages that were with a carrier before.', 400),
});

const shipmentId = idOf(
  'shipment',
  'The `shipment_id` that the send answered; the id of a campaign of chat or mail.',
);
const columns = [
  'id',
  'phone',
  'source',
  'external_id',
  'state',
  'status',
  'status_text',
  'word',
  'reason',
  'accepted_at',
  'handed_over_at',
  'ended_at',
  'read_at',
  'parts',
  'price',
];
const csvExample = `${columns.join(',')}\r\n1774337460000002,0501234567,Shop,order-17,delivered,102,Delivered,DELIVRD/000,,2026-03-24T07:31:00.000Z,2026-03-24T07:31:01.000Z,2026-03-24T07:31:04.000Z,,1,0.25\r\n`;

export interface ShipmentsDeps {
  readonly sql: Sql;
  readonly progress: ShipmentProgress;
  readonly canceller: Canceller;
  readonly control: Pick<CampaignControl, 'pause' | 'resume'>;
}

const route = resource<ShipmentsDeps>('reports');

/** Shipments of every channel. */
export const shipmentRoutes = [
  route({
    method: 'GET',
    path: '/shipments',
    docs: {
      id: 'listShipments',
      title: 'Shipments and how far they are',
      description:
        'Sends of every channel, the newest first. Large ones are counted in the background: `counted_at` tells when.',
    },
    query: shipmentsPage,
    answer: pageAnswer('shipments', shipmentAnswer),
    handler: async ({ accountId, query }, { sql, progress }) => {
      const { kind, channel, name, after = Number.MAX_SAFE_INTEGER, limit } = query;
      const wanted = {
        sendsOnly: kind === 'campaigns',
        channel: channel === undefined ? undefined : channelNumber(channel),
        name,
      };
      const { rows, next } = await pageOf(limit, (most) =>
        listShipments(sql, accountId, wanted, after, most),
      );
      const counts = await progress.of(accountId, rows);
      return { shipments: rows.map((row) => showShipment(row, counts.get(row.id) ?? null)), next };
    },
  }),
  route({
    method: 'GET',
    path: '/shipments/:id',
    docs: {
      id: 'showShipment',
      title: 'How far a shipment is',
      description: 'A shipment with its messages by what became of them, and failures by reason.',
    },
    id: shipmentId,
    answer: detailAnswer,
    handler: async ({ accountId, id }, deps) => {
      const row = await find(deps, accountId, id);
      const counted = await deps.progress.ofOne(accountId, row);
      return {
        ...showShipment(row, counted),
        text: row.lane === lanes.otp ? null : shownText(row.channel, row.payload),
      };
    },
  }),
  route({
    method: 'GET',
    path: '/shipments/:id/messages.csv',
    docs: {
      id: 'exportShipmentMessages',
      title: 'Messages of a shipment as CSV',
      description: 'Every message with its state and times, in their order, streamed. Without texts.',
    },
    id: shipmentId,
    answer: { csv: csvExample },
    handler: async ({ accountId, id }, deps) => {
      const row = await find(deps, accountId, id);
      return csvFile(`messages-${row.id}.csv`, writeMessages(messagesOfShipment(deps.sql, accountId, row)));
    },
  }),
  route({
    method: 'POST',
    path: '/shipments/:id/pause',
    docs: {
      id: 'pauseShipment',
      title: 'Pause a shipment',
      description:
        'Of a send to many what was not handed to a carrier yet waits, and no more messages are made of its lists. Its credit stays charged or held. What is with a carrier in that moment is still sent.',
      refusals: ['not-now'],
    },
    id: shipmentId,
    answer: shipmentAnswer,
    handler: async ({ accountId, id }, deps) => change(deps, accountId, id, 'pause'),
  }),
  route({
    method: 'POST',
    path: '/shipments/:id/resume',
    docs: {
      id: 'resumeShipment',
      title: 'Let a paused shipment go on',
      description:
        'It goes on where it was paused, and delivery is tried for the whole time from now. One that was to begin later begins then.',
      refusals: ['not-now'],
    },
    id: shipmentId,
    answer: shipmentAnswer,
    handler: async ({ accountId, id }, deps) => change(deps, accountId, id, 'resume'),
  }),
  route({
    method: 'POST',
    path: '/shipments/:id/cancel',
    docs: {
      id: 'cancelShipment',
      title: 'Cancel a shipment',
      description: 'What waits is cancelled and its credit given back; of a running one that is the rest.',
      refusals: ['not-now'],
    },
    id: shipmentId,
    answer: cancelAnswer,
    handler: async ({ accountId, id }, deps) => {
      await find(deps, accountId, id);
      const { cancelled, handedOver } = await deps.canceller.byId(accountId, id);
      return { id: String(id), cancelled, handed_over: handedOver };
    },
  }),
];

async function find({ sql }: ShipmentsDeps, accountId: number, id: number): Promise<ShipmentRow> {
  return found(await findShipment(sql, accountId, id), 'shipment');
}

async function change(deps: ShipmentsDeps, accountId: number, id: number, what: 'pause' | 'resume') {
  await find(deps, accountId, id);
  await deps.control[what](accountId, id);
  const row = await find(deps, accountId, id);
  return showShipment(row, await deps.progress.ofOne(accountId, row));
}

/** A shipment as callers see it. */
export function showShipment(row: ShipmentRow, counted: Counted | null): z.output<typeof shipmentAnswer> {
  const shown = counted && showProgress(counted);
  return {
    id: String(row.id),
    channel: channelName(row.channel),
    campaign_name: row.campaign_name,
    source: row.source,
    state: shipmentState(row, shown?.waiting),
    messages: row.message_count,
    unmade: row.unmade,
    cost: formatAmount(costOf(row)),
    accepted_at: iso(timeOfId(row.id)),
    due_at: iso(row.due_at),
    valid_until: iso(row.valid_until),
    progress: shown,
  };
}

function showProgress({ outcomes, countedAt }: Counted): z.output<typeof progressAnswer> {
  const sums: Record<MessageState, number> = {
    waiting: 0,
    handed_over: 0,
    delivered: 0,
    read: 0,
    failed: 0,
    cancelled: 0,
  };
  for (const { state, count: more } of outcomes) sums[state] += more;
  const failures = outcomes
    .filter(({ state }) => state === 'failed')
    .map(({ channel, status, code, handed_over, count: howMany }) => ({
      ...showFailure({ channel: channel!, status: status!, code, handedOver: handed_over! }),
      status: status!,
      word: code,
      count: howMany,
    }));
  return { ...sums, failures, counted_at: iso(countedAt) };
}

async function* writeMessages(pages: AsyncIterable<readonly ShipmentMessage[]>): AsyncGenerator<CsvChunk> {
  yield { data: writeCsv([columns], true), rows: 0 };
  for await (const rows of pages) {
    yield { data: writeCsv(rows.map(toRow), false), rows: rows.length };
  }
}

function toRow(row: ShipmentMessage): (string | number | null)[] {
  const state = stateOf(row);
  const { channel, status, code, handed_at } = row;
  const failed = state === 'failed' || state === 'cancelled';
  return [
    String(row.id),
    displayRecipient(row.recipient),
    row.source,
    row.external_id,
    state,
    status,
    statusTexts(status).en,
    code,
    failed ? showFailure({ channel, status, code, handedOver: handed_at !== null }).why : null,
    iso(timeOfId(row.id)),
    maybeIso(handed_at),
    maybeIso(row.final_at),
    maybeIso(row.read_at),
    row.parts,
    formatAmount(parseAmount(row.price)),
  ];
}
