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
import { described } from './about.ts';
import { passOver, takeBodies } from './bodies.ts';
import { sendCsv } from './csv-answers.ts';
import { pageLimit, pathId, read, type V1Part } from './door.ts';
import { NotFound } from './errors.ts';
import { sensitive } from './field-rights.ts';
import { afterId, cut, iso, isoTime, maybeIso, next } from './fields.ts';
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

const page = z.object({
  kind: z
    .enum(['campaigns', 'all'])
    .default('campaigns')
    .describe('`campaigns`: sends to many, or with a name; `all`: also each single message.'),
  channel: z.enum(channelNames).optional().describe(channelMeaning),
  name: z.string().max(50).optional().describe('`campaign_name` of the send.'),
  after: afterId,
  limit: pageLimit(ROWS_MOST).describe('Rows of a page.'),
});

const count = (meaning: string, example: number) => answered(z.int(), meaning, example);
const failuresAnswer = z
  .array(
    failureAnswer.extend({
      status: count('As in delivery reports.', 103),
      word: answered(
        z.string().nullable(),
        "The network's own word, or the reason of a chat message.",
        'EXPIRED',
      ),
      count: count('How many messages.', 7),
    }),
  )
  .describe('Messages that failed, by status and word, the most frequent first.');

/** Messages of a shipment by what became of them; `showProgress` gives it. */
export const progressAnswer = z.object({
  waiting: count('Not handed to a carrier yet.', 120),
  handed_over: count('With a carrier, and nothing known beyond that.', 80),
  delivered: count('Delivered, and not known to be read.', 600),
  read: count('Read.', 390),
  failed: count('Failed.', 7),
  cancelled: count('Cancelled before they were handed over.', 3),
  failures: failuresAnswer,
  counted_at: isoTime('When they were counted'),
});

const states = ['scheduled', 'running', 'paused', 'cancelled', 'finished'] as const;

/** A shipment; `showShipment` gives it. */
export const shipmentAnswer = z.object({
  id: answered(z.string(), 'Its id.', '1774337460000001'),
  channel: channelField,
  campaign_name: answered(z.string().nullable(), '`campaign_name` of the send.', 'Spring'),
  source: answered(
    z.string().nullable(),
    'The sender of its first message, the business number, or the address of mails.',
    'Shop',
  ),
  state: answered(
    z.enum(states),
    '`scheduled`, `running`, `paused`, `cancelled`, or `finished`: none of its messages waits.',
    'running',
  ),
  messages: count('Messages that are made.', 1_200),
  unmade: count('Contacts of its lists that have no message yet, as far as known.', 0),
  cost: answered(z.string(), 'Credits that it costs, with those held for `unmade`.', '300'),
  accepted_at: isoTime('When it was accepted'),
  due_at: isoTime('When it begins'),
  valid_until: isoTime('How long delivery is tried'),
  progress: progressAnswer
    .nullable()
    .describe('Null for a large one that is just being counted for the first time: ask again.'),
});

const detailAnswer = shipmentAnswer.extend({
  text: sensitive(
    answered(
      z.string().nullable(),
      'What its messages have in common; null when each has its own.',
      'Spring is here',
    ),
    'message-text',
  ),
});

const cancelAnswer = z.object({
  id: answered(z.string(), 'Its id.', '1774337460000001'),
  cancelled: count('Recipients that get nothing, and whose credit went back.', 800),
  handed_over: count('Messages that were with a carrier before.', 400),
});

const pathOfShipment = 'The `shipment_id` that the send answered; the id of a campaign of chat or mail.';
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

type WithId = { Params: { id: string } };

export interface ShipmentsPartParts {
  readonly sql: Sql;
  readonly progress: ShipmentProgress;
  readonly canceller: Canceller;
  readonly control: Pick<CampaignControl, 'pause' | 'resume'>;
}

/**
 * Shipments of every channel under /v1, a part of the door:
 * - `GET /shipments?kind=&channel=&name=&after=&limit=`: the newest first, with their progress
 * - `GET /shipments/:id`
 * - `GET /shipments/:id/messages.csv`: every message of it, streamed
 * - `POST /shipments/:id/pause`, `/resume`, `/cancel`
 */
export function shipmentsPart(parts: ShipmentsPartParts): V1Part {
  const { sql, progress, canceller, control } = parts;

  async function find(accountId: number, text: string): Promise<ShipmentRow> {
    const shipment = await findShipment(sql, accountId, pathId(text, 'shipment'));
    if (!shipment) throw new NotFound('no such shipment');
    return shipment;
  }

  /** Pauses or resumes it. */
  async function change(accountId: number, text: string, what: 'pause' | 'resume') {
    const { id } = await find(accountId, text);
    await control[what](accountId, id);
    const row = await find(accountId, text);
    return showShipment(row, await progress.ofOne(accountId, row));
  }

  return (app, accountOf) => {
    takeBodies(app, passOver);

    app.get(
      '/shipments',
      described({
        chapter: 'reports',
        id: 'listShipments',
        title: 'Shipments and how far they are',
        description:
          'Sends of every channel, the newest first. Large ones are counted in the background: `counted_at` tells when.',
        query: page,
        answer: z.object({ shipments: z.array(shipmentAnswer), next }),
      }),
      async (request) => {
        const { kind, channel, name, after, limit } = read(page, request.query);
        const { id: accountId } = accountOf(request);
        const found = await listShipments(
          sql,
          accountId,
          {
            sendsOnly: kind === 'campaigns',
            channel: channel === undefined ? undefined : channelNumber(channel),
            name,
          },
          after ?? Number.MAX_SAFE_INTEGER,
          limit + 1,
        );
        const { rows, next: following } = cut(found, limit);
        const counts = await progress.of(accountId, rows);
        return {
          shipments: rows.map((row) => showShipment(row, counts.get(row.id) ?? null)),
          next: following,
        };
      },
    );

    app.get<WithId>(
      '/shipments/:id',
      described({
        chapter: 'reports',
        id: 'showShipment',
        title: 'How far a shipment is',
        description: 'A shipment with its messages by what became of them, and failures by reason.',
        pathId: pathOfShipment,
        answer: detailAnswer,
        refusals: ['not-found'],
      }),
      async (request): Promise<z.output<typeof detailAnswer>> => {
        const { id: accountId } = accountOf(request);
        const row = await find(accountId, request.params.id);
        const counted = await progress.ofOne(accountId, row);
        return {
          ...showShipment(row, counted),
          text: row.lane === lanes.otp ? null : shownText(row.channel, row.payload),
        };
      },
    );

    app.get<WithId>(
      '/shipments/:id/messages.csv',
      described({
        chapter: 'reports',
        id: 'exportShipmentMessages',
        title: 'Messages of a shipment as CSV',
        description: 'Every message with its state and times, in their order, streamed. Without texts.',
        pathId: pathOfShipment,
        answer: csvExample,
        refusals: ['not-found'],
      }),
      async (request, reply) => {
        const { id: accountId } = accountOf(request);
        const row = await find(accountId, request.params.id);
        return sendCsv(
          request,
          reply,
          `messages-${row.id}.csv`,
          writeMessages(messagesOfShipment(sql, accountId, row)),
        );
      },
    );

    app.post<WithId>(
      '/shipments/:id/pause',
      described({
        chapter: 'cancelling',
        id: 'pauseShipment',
        title: 'Pause a shipment',
        description:
          'Of a send to many what was not handed to a carrier yet waits, and no more messages are made of its lists. Its credit stays charged or held. What is with a carrier in that moment is still sent.',
        pathId: pathOfShipment,
        answer: shipmentAnswer,
        refusals: ['not-found', 'not-now'],
      }),
      async (request) => change(accountOf(request).id, request.params.id, 'pause'),
    );

    app.post<WithId>(
      '/shipments/:id/resume',
      described({
        chapter: 'cancelling',
        id: 'resumeShipment',
        title: 'Let a paused shipment go on',
        description:
          'It goes on where it was paused, and delivery is tried for the whole time from now. One that was to begin later begins then.',
        pathId: pathOfShipment,
        answer: shipmentAnswer,
        refusals: ['not-found', 'not-now'],
      }),
      async (request) => change(accountOf(request).id, request.params.id, 'resume'),
    );

    app.post<WithId>(
      '/shipments/:id/cancel',
      described({
        chapter: 'cancelling',
        id: 'cancelShipment',
        title: 'Cancel a shipment',
        description: 'What waits is cancelled and its credit given back; of a running one that is the rest.',
        pathId: pathOfShipment,
        answer: cancelAnswer,
        refusals: ['not-found', 'not-now'],
      }),
      async (request): Promise<z.output<typeof cancelAnswer>> => {
        const { id: accountId } = accountOf(request);
        const { id } = await find(accountId, request.params.id);
        const { cancelled, handedOver } = await canceller.byId(accountId, id);
        return { id: String(id), cancelled, handed_over: handedOver };
      },
    );
  };
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
