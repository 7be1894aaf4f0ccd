import { z } from 'zod';
import { formatAmount, parseAmount } from '../../../accounts/money.ts';
import { type CampaignFailure, failuresOf } from '../../../campaigns/report.ts';
import type { CoreContext } from '../../../core.ts';
import { timeOfId } from '../../../ids.ts';
import { lanes } from '../../../messages/lanes.ts';
import type { Counted } from '../../../messages/shipment-progress.ts';
import {
  costOf,
  findShipment,
  listShipments,
  messagesOfShipment,
  type ShipmentMessage,
  type ShipmentRow,
  shipmentState,
} from '../../../messages/shipments.ts';
import { type MessageState, stateOf } from '../../../messages/states.ts';
import { displayRecipient } from '../../../numbers/numbers.ts';
import { statusTexts } from '../../../statuses.ts';
import { type CsvChunk, writeCsv } from '../../../text/csv.ts';
import { iso, maybeIso, out } from '../../openapi/out.ts';
import { sensitive } from '../field-rights.ts';
import { found, idOf, notFound, page, pageAnswer, pageInOrder, pageOf, readPage } from '../kit/fields.ts';
import { csvFile } from '../kit/files.ts';
import { type PathId, resource } from '../kit/route.ts';
import { serializer } from '../kit/serializer.ts';
import {
  channelField,
  channelMeaning,
  channelName,
  channelNames,
  channelNumber,
  failureAnswer,
  showFailure,
  shownText,
} from '../messages/fields.ts';

const MAX_ROWS = 100;
const MAX_FAILED = 1_000;

const campaignsPage = z.object({
  channel: z.enum(channelNames).optional().describe(channelMeaning),
  name: z.string().max(50).optional().describe('`campaign_name` of the send.'),
  ...page(MAX_ROWS),
});
const shipmentsPage = z.object({
  kind: z
    .enum(['campaigns', 'all'])
    .default('campaigns')
    .describe('`campaigns`: sends to many, or with a name; `all`: also each single message.'),
  ...campaignsPage.shape,
});
const failedPage = z.object(pageInOrder(MAX_FAILED, 'rows are in the order of the messages.'));

const failuresAnswer = z
  .array(
    failureAnswer.extend({
      status: out.count('As in delivery reports.', 103),
      word: out.maybeText("The network's own word, or the reason of a chat message.", 'EXPIRED'),
      count: out.count('How many messages.', 7),
    }),
  )
  .describe('Messages that failed, by status and word, the most frequent first.');

/** Messages of a shipment by their outcome; `showProgress` gives it. */
const progressAnswer = z.object({
  waiting: out.count('Not handed to a carrier yet.', 120),
  handed_over: out.count('With a carrier, and nothing known beyond that.', 80),
  delivered: out.count('Delivered, and not known to be read.', 600),
  read: out.count('Read.', 390),
  failed: out.count('Failed.', 7),
  cancelled: out.count('Cancelled before they were handed over.', 3),
  failures: failuresAnswer,
  counted_at: out.time('When they were counted'),
});

type Progress = z.output<typeof progressAnswer>;

const states = ['scheduled', 'running', 'paused', 'cancelled', 'finished'] as const;

/** A shipment; `showShipment` gives it. */
const shipmentAnswer = z.object({
  id: out.id('Its id.', '1774337460000001'),
  channel: channelField,
  campaign_name: out.maybeText('`campaign_name` of the send.', 'Spring'),
  source: out.maybeText(
    'The sender of its first message, the business number, or the address of mails.',
    'Shop',
  ),
  state: out.oneOf(
    states,
    '`scheduled`, `running`, `paused`, `cancelled`, or `finished`: none of its messages waits.',
    'running',
  ),
  messages: out.count('Messages that are made.', 1_200),
  unmade: out.count('Contacts of its lists that have no message yet, as far as known.', 0),
  cost: out.text('Credits that it costs, with those held for `unmade`.', '300'),
  accepted_at: out.time('When it was accepted'),
  due_at: out.time('When it begins'),
  valid_until: out.time('How long delivery is tried'),
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

const show = serializer(shipmentAnswer, (row: ShipmentRow & { progress: Progress | null }) => ({
  channel: channelName(row.channel),
  state: shipmentState(row, row.progress?.waiting),
  messages: row.message_count,
  cost: formatAmount(costOf(row)),
  accepted_at: iso(timeOfId(row.id)),
}));

/** Shows a shipment. */
export const showShipment = (row: ShipmentRow, counted: Counted | null) =>
  show({ ...row, progress: counted && showProgress(counted) });

const failedAnswer = z.object({
  message_id: out.id('The message.', '1774337460000002'),
  recipient: out.text('The number or address; what was given, if it is neither.', '0501234567'),
  status: out.count('As in delivery reports.', 103),
  word: out.maybeText("The network's own word, or the reason of a chat message or mail.", 'EXPIRED'),
  failure: failureAnswer.describe('Why.'),
  at: out.time('When that was known'),
});

const showFailed = serializer(
  failedAnswer,
  ({ id, phone, channel, status, code, handed_at }: CampaignFailure) => ({
    message_id: String(id),
    recipient: displayRecipient(phone),
    word: code,
    failure: showFailure({ channel, status, code, submitted: handed_at !== null }),
  }),
);

/** One resource by two names: a campaign, and the shipment that it is. */
interface Naming {
  readonly path: string;
  readonly noun: string;
  readonly suffix: string;
  readonly id: PathId<number>;
  /** Whether single messages belong to it. */
  readonly hasSingles: boolean;
  /** What is said of a route that another name has, too. */
  readonly alias: (route: string) => string;
}

const campaigns: Naming = {
  path: '/campaigns',
  noun: 'campaign',
  suffix: 'Campaign',
  id: idOf('campaign', {
    description: 'The id of the campaign, which is the `shipment_id` that the send answered.',
  }),
  hasSingles: false,
  alias: () => '',
};
const shipments: Naming = {
  path: '/shipments',
  noun: 'shipment',
  suffix: 'Shipment',
  id: idOf('shipment', {
    description: 'The `shipment_id` that the send answered; the id of a campaign of chat or mail.',
  }),
  hasSingles: true,
  alias: (route) => ` For a campaign it is the same as \`${route}\`.`,
};

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

type ShipmentsDeps = Pick<CoreContext, 'sql' | 'progress' | 'canceller' | 'control'>;

const route = resource<ShipmentsDeps>('reports');

/** Shipments of every channel, single messages included. */
export const shipmentRoutes = [
  route('GET /v1/shipments', {
    operationId: 'listShipments',
    title: 'List shipments',
    description:
      'Sends of every channel, the newest first. Large ones are counted in the background; `counted_at` is when.',
    query: shipmentsPage,
    answer: pageAnswer('shipments', shipmentAnswer),
    handler: async ({ accountId, query }, deps) => {
      const { rows, next } = await list(deps, accountId, query, query.kind === 'campaigns');
      return { shipments: rows, next };
    },
  }),
  ...routesOfOne(shipments),
];

/** Campaigns of every channel: sends to many, or with a name. */
export const campaignRoutes = [
  route('GET /v1/campaigns', {
    operationId: 'listCampaigns',
    title: 'List campaigns',
    description:
      'Campaigns of every channel, the newest first, with their progress. Large ones are counted in the background; `counted_at` is when.',
    query: campaignsPage,
    answer: pageAnswer('campaigns', shipmentAnswer),
    handler: async ({ accountId, query }, deps) => {
      const { rows, next } = await list(deps, accountId, query, true);
      return { campaigns: rows, next };
    },
  }),
  ...routesOfOne(campaigns),
  route('GET /v1/campaigns/:id/failed-recipients', {
    operationId: 'listFailedRecipients',
    title: 'List failed recipients',
    description: 'Recipients that were not sent to or not reached, each with the reason.',
    id: campaigns.id,
    query: failedPage,
    answer: pageAnswer('recipients', failedAnswer),
    handler: async ({ accountId, id, query: { after = 0, limit } }, deps) => {
      await find(deps, campaigns, accountId, id);
      return pageOf(
        'recipients',
        showFailed,
        readPage(limit, (most) => failuresOf(deps.sql, accountId, id, after, most)),
      );
    },
  }),
];

/** The routes of one campaign or shipment. */
function routesOfOne(naming: Naming) {
  const { path, noun, suffix, id: pathId, alias } = naming;
  return [
    route(`GET /v1${path}/:id`, {
      operationId: `show${suffix}`,
      title: `Show the progress of a ${noun}`,
      description: `A ${noun} with its messages by their state, and failures by reason.${alias('GET /v1/campaigns/{id}')}`,
      id: pathId,
      answer: detailAnswer,
      handler: async ({ accountId, id }, deps) => {
        const row = await find(deps, naming, accountId, id);
        const counted = await deps.progress.ofOne(accountId, row);
        return {
          ...showShipment(row, counted),
          text: row.lane === lanes.otp ? null : shownText(row.channel, row.payload),
        };
      },
    }),
    route(`GET /v1${path}/:id/messages.csv`, {
      operationId: `export${suffix}Messages`,
      title: `Export the messages of a ${noun}`,
      description: `Every message with its state and times, in their order, streamed. Without texts.${alias('GET /v1/campaigns/{id}/messages.csv')}`,
      id: pathId,
      answer: { csv: csvExample },
      handler: async ({ accountId, id }, deps) => {
        const row = await find(deps, naming, accountId, id);
        return csvFile(`messages-${row.id}.csv`, writeMessages(messagesOfShipment(deps.sql, accountId, row)));
      },
    }),
    route(`POST /v1${path}/:id/pause`, {
      operationId: `pause${suffix}`,
      title: `Pause a ${noun}`,
      description: `Messages that were not submitted wait, and no more messages are created from its lists. Their credit stays charged or held. Messages that are being submitted at that moment are still sent.${alias('POST /v1/campaigns/{id}/pause')}`,
      refusals: ['not-now'],
      id: pathId,
      answer: shipmentAnswer,
      handler: async ({ accountId, id }, deps) => change(deps, naming, accountId, id, 'pause'),
    }),
    route(`POST /v1${path}/:id/resume`, {
      operationId: `resume${suffix}`,
      title: `Resume a ${noun}`,
      description: `It continues where it was paused, with its full validity from now. A scheduled one begins at its time.${alias('POST /v1/campaigns/{id}/resume')}`,
      refusals: ['not-now'],
      id: pathId,
      answer: shipmentAnswer,
      handler: async ({ accountId, id }, deps) => change(deps, naming, accountId, id, 'resume'),
    }),
    route(`POST /v1${path}/:id/cancel`, {
      operationId: `cancel${suffix}`,
      title: `Cancel a ${noun}`,
      description: `Messages that were not submitted are cancelled, and their credit is given back.${alias('POST /v1/campaigns/{id}/cancel')}`,
      refusals: ['not-now'],
      id: pathId,
      answer: cancelAnswer,
      handler: async ({ accountId, id }, deps) => {
        await find(deps, naming, accountId, id);
        const { cancelled, submitted } = await deps.canceller.byId(accountId, id);
        return { id: String(id), cancelled, handed_over: submitted };
      },
    }),
  ];
}

async function list(
  { sql, progress }: ShipmentsDeps,
  accountId: number,
  { channel, name, after = Number.MAX_SAFE_INTEGER, limit }: z.output<typeof campaignsPage>,
  sendsOnly: boolean,
) {
  const wanted = { sendsOnly, channel: channel === undefined ? undefined : channelNumber(channel), name };
  const { rows, next } = await readPage(limit, (most) => listShipments(sql, accountId, wanted, after, most));
  const counts = await progress.of(accountId, rows);
  return { rows: rows.map((row) => showShipment(row, counts.get(row.id) ?? null)), next };
}

async function find(
  { sql }: ShipmentsDeps,
  { noun, hasSingles }: Naming,
  accountId: number,
  id: number,
): Promise<ShipmentRow> {
  const row = found(await findShipment(sql, accountId, id), noun);
  if (!hasSingles && row.lane !== lanes.bulk && row.campaign_name === null) throw notFound(noun);
  return row;
}

async function change(
  deps: ShipmentsDeps,
  naming: Naming,
  accountId: number,
  id: number,
  what: 'pause' | 'resume',
) {
  await find(deps, naming, accountId, id);
  await deps.control[what](accountId, id);
  const row = await find(deps, naming, accountId, id);
  return showShipment(row, await deps.progress.ofOne(accountId, row));
}

function showProgress({ outcomes, countedAt }: Counted): Progress {
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
      ...showFailure({ channel: channel!, status: status!, code, submitted: handed_over! }),
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
    failed ? showFailure({ channel, status, code, submitted: handed_at !== null }).why : null,
    iso(timeOfId(row.id)),
    maybeIso(handed_at),
    maybeIso(row.final_at),
    maybeIso(row.read_at),
    row.parts,
    formatAmount(parseAmount(row.price)),
  ];
}
