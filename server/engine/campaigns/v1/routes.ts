import { z } from 'zod';
import { changes, dailyWork, exports, reads } from '../../../api/access/rules.ts';
import { maybeIso, out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import {
  field,
  found,
  idOf,
  nameSearch,
  notFound,
  page,
  pageAnswer,
  pageInOrder,
  pageOf,
  readPage,
  timeText,
} from '../../../api/v1/kit/fields.ts';
import { csvFile } from '../../../api/v1/kit/files.ts';
import { type PathId, resource } from '../../../api/v1/kit/route.ts';
import { fieldsOfRule } from '../../../api/v1/kit/sending-fields.ts';
import { formatAmount } from '../../../modules/accounts/money.ts';
import type { CoreContext } from '../../../run/services.ts';
import { fallbackOf } from '../../fallback/views.ts';
import { lanes } from '../../messages/lanes.ts';
import { type ContentReader, storedContentOfFirst } from '../../messages/message-content.ts';
import { policyWaitOf } from '../../messages/policy-wait.ts';
import {
  findShipment,
  listShipments,
  messagesOfShipment,
  type ShipmentRow,
} from '../../messages/shipments.ts';
import { contentAnswer, showContent } from '../../messages/v1/content.ts';
import { shipmentExample, writeShipment } from '../../messages/v1/csv.ts';
import { channelMeaning, channelNames, channelNumber, shownText } from '../../messages/v1/fields.ts';
import { failuresOf } from '../report.ts';
import type { CampaignList, RepeatedRequest } from '../source.ts';
import {
  cancelAnswer,
  detailAnswer,
  failedAnswer,
  listedAnswer,
  shipmentAnswer,
  showFailed,
  showFallback,
  showShipment,
} from './fields.ts';

const MAX_ROWS = 100;
const MAX_FAILED = 1_000;

const campaignsPage = z.object({
  channel: z.enum(channelNames).optional().describe(channelMeaning),
  name: z.string().max(50).optional().describe('`campaign_name` of the send.'),
  search: nameSearch.describe(
    'Filters by `campaign_name`: names that contain this text, among the latest 10,000 sends.',
  ),
  ...page(MAX_ROWS),
});
const shipmentsPage = z.object({
  kind: z
    .enum(['campaigns', 'all'])
    .default('campaigns')
    .describe('`campaigns`: sends to several recipients or with a name; `all`: also single messages.'),
  ...campaignsPage.shape,
});
const requestAnswer = z.object({
  path: out.text('Path of the request.', '/v1/sms'),
  body: answered(z.record(z.string(), z.unknown()), 'Body of the request, as described with the route.', {
    source: 'Shop',
    message: 'Spring is here',
    phones: ['0501234567'],
  }),
});
const rescheduleBody = z.object({
  at: field(
    timeText,
    'Start time, ISO 8601 with an offset; immediately if in the past.',
    '2099-12-01T09:00:00+02:00',
  ),
});
const failedPage = z.object(pageInOrder(MAX_FAILED, 'rows are in the order of the messages.'));

/** A resource with two names: a campaign, which is also a shipment. */
interface Naming {
  readonly path: string;
  readonly noun: string;
  readonly suffix: string;
  readonly id: PathId<number>;
  /** Whether it includes single messages. */
  readonly hasSingles: boolean;
  /** Description of a route that also exists under the other name. */
  readonly alias: (route: string) => string;
}

const campaigns: Naming = {
  path: '/campaigns',
  noun: 'campaign',
  suffix: 'Campaign',
  id: idOf('campaign', {
    description: 'Id of the campaign, the `shipment_id` in the response to the send.',
  }),
  hasSingles: false,
  alias: () => '',
};
const shipments: Naming = {
  path: '/shipments',
  noun: 'shipment',
  suffix: 'Shipment',
  id: idOf('shipment', {
    description: '`shipment_id` in the response to the send; for campaigns of chat or email, their id.',
  }),
  hasSingles: true,
  alias: (route) => ` For a campaign it is the same as \`${route}\`.`,
};

interface ShipmentsDeps
  extends Pick<CoreContext, 'sql' | 'clock' | 'progress' | 'canceller' | 'control' | 'gate' | 'sendingGate'> {
  readonly contentOf: ContentReader;
  readonly requestOf: (
    channel: number,
    accountId: number,
    id: number,
  ) => Promise<RepeatedRequest | undefined>;
  readonly listsOf: (channel: number, accountId: number, id: number) => Promise<readonly CampaignList[]>;
}

const route = resource<ShipmentsDeps>('reports');

/** Shipments of every channel, single messages included. */
export const shipmentRoutes = [
  route('GET /v1/shipments', {
    access: reads('viewer', 'read'),
    operationId: 'listShipments',
    title: 'List shipments',
    description:
      'Lists the sends of all channels, newest first. Large ones are counted in the background; `counted_at` is the time of the count.',
    query: shipmentsPage,
    answer: pageAnswer('shipments', listedAnswer),
    handler: async ({ accountId, query }, deps) => {
      const { rows, next } = await list(deps, accountId, query, query.kind === 'campaigns');
      return { shipments: rows, next };
    },
  }),
  ...routesOfOne(shipments),
];

/** Campaigns of every channel: sends to many recipients, or with a name. */
export const campaignRoutes = [
  route('GET /v1/campaigns', {
    access: reads('viewer', 'read'),
    operationId: 'listCampaigns',
    title: 'List campaigns',
    description:
      'Lists the campaigns of all channels with their progress, newest first. Large ones are counted in the background; `counted_at` is the time of the count.',
    query: campaignsPage,
    answer: pageAnswer('campaigns', listedAnswer),
    handler: async ({ accountId, query }, deps) => {
      const { rows, next } = await list(deps, accountId, query, true);
      return { campaigns: rows, next };
    },
  }),
  ...routesOfOne(campaigns),
  route('GET /v1/campaigns/:id/request', {
    access: reads('sender', 'read'),
    operationId: 'showCampaignRequest',
    title: 'Show the request of a campaign',
    description:
      'Returns the request that sends the campaign again: its path and its body, without a start time. The message includes a removal text by reply. Returns `not-now` for a campaign whose recipients received individual texts.',
    refusals: ['not-now'],
    id: campaigns.id,
    answer: requestAnswer,
    handler: async ({ accountId, id }, deps) => {
      const { channel, lane, sending_rule } = await find(deps, campaigns, accountId, id);
      const request = lane === lanes.otp ? undefined : await deps.requestOf(channel, accountId, id);
      const { path, body } = found(request, 'campaign');
      return { path, body: { ...body, ...fieldsOfRule(sending_rule) } };
    },
  }),
  route('POST /v1/campaigns/:id/reschedule', {
    access: dailyWork(changes('sender', 'send')),
    operationId: 'rescheduleCampaign',
    title: 'Reschedule a campaign',
    description: 'Changes the start time of a scheduled campaign; its validity period stays the same.',
    refusals: ['not-now'],
    id: campaigns.id,
    body: rescheduleBody,
    answer: shipmentAnswer,
    handler: async ({ accountId, id, body: { at } }, deps) => {
      await find(deps, campaigns, accountId, id);
      await deps.control.reschedule(accountId, id, Date.parse(at));
      const row = await find(deps, campaigns, accountId, id);
      return showShipment(row, await deps.progress.ofOne(accountId, row));
    },
  }),
  route('GET /v1/campaigns/:id/failed-recipients', {
    access: reads('viewer', 'read'),
    operationId: 'listFailedRecipients',
    title: 'List failed recipients',
    description: 'Lists recipients that were skipped or not reached, each with the reason.',
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

/** Routes of a single campaign or shipment. */
function routesOfOne(naming: Naming) {
  const { path, noun, suffix, id: pathId, alias } = naming;
  return [
    route(`GET /v1${path}/:id`, {
      access: reads('viewer', 'read'),
      operationId: `show${suffix}`,
      title: `Show the progress of a ${noun}`,
      description: `Returns a ${noun} with its messages by state, and failures by reason.${alias('GET /v1/campaigns/{id}')}`,
      id: pathId,
      answer: detailAnswer,
      handler: async ({ accountId, id }, deps) => {
        const row = await find(deps, naming, accountId, id);
        const counted = await deps.progress.ofOne(accountId, row);
        const shown = await withStart(deps, accountId, row, showShipment(row, counted));
        const lists = await deps.listsOf(row.channel, accountId, id);
        return {
          ...shown,
          sending_hours: fieldsOfRule(row.sending_rule).sending_hours ?? null,
          lists: lists.map((list) => ({ id: String(list.id), name: list.name })),
          text: row.lane === lanes.otp ? null : shownText(row.channel, row.payload),
          fallback: showFallback(await fallbackOf(deps.sql, accountId, row)),
          held: deps.gate.isSuspended(accountId) && !['cancelled', 'finished'].includes(shown.state),
          waits_until: maybeIso(await policyWaitOf(deps.sql, accountId, row, deps.clock.now())),
          text_removed: row.text_removed === true,
        };
      },
    }),
    route(`GET /v1${path}/:id/content`, {
      access: reads('viewer', 'read'),
      operationId: `show${suffix}Content`,
      title: `Show the content of a ${noun}`,
      description: `Returns the content for the recipient of the first message that was not refused, as \`GET /v1/messages/{id}/content\` does. Without messages, returns the template of the content, with the names of its fields.${alias('GET /v1/campaigns/{id}/content')}`,
      id: pathId,
      answer: contentAnswer,
      handler: async ({ accountId, id }, deps) => {
        await find(deps, naming, accountId, id);
        const stored = found(await storedContentOfFirst(deps.sql, accountId, id), noun);
        return showContent(stored, await deps.contentOf(accountId, stored));
      },
    }),
    route(`GET /v1${path}/:id/messages.csv`, {
      access: exports('sender', 'read'),
      operationId: `export${suffix}Messages`,
      title: `Export the messages of a ${noun}`,
      description: `Streams every message with its state and times, in the order of the messages, without texts.${alias('GET /v1/campaigns/{id}/messages.csv')}`,
      id: pathId,
      answer: { csv: shipmentExample },
      handler: async ({ accountId, id }, deps) => {
        const row = await find(deps, naming, accountId, id);
        return csvFile(`messages-${row.id}.csv`, writeShipment(messagesOfShipment(deps.sql, accountId, row)));
      },
    }),
    route(`POST /v1${path}/:id/pause`, {
      access: dailyWork(changes('sender', 'send')),
      operationId: `pause${suffix}`,
      title: `Pause a ${noun}`,
      description: `Pauses the ${noun}. Messages that were not submitted wait, and no more messages are created from its lists. Their credit stays charged or held. Messages that are being submitted at that moment are still sent.${alias('POST /v1/campaigns/{id}/pause')}`,
      refusals: ['not-now'],
      id: pathId,
      answer: shipmentAnswer,
      handler: async ({ accountId, id }, deps) => change(deps, naming, accountId, id, 'pause'),
    }),
    route(`POST /v1${path}/:id/resume`, {
      access: dailyWork(changes('sender', 'send')),
      operationId: `resume${suffix}`,
      title: `Resume a ${noun}`,
      description: `Resumes the ${noun} where it was paused, with its full validity period from now. A scheduled one begins at its start time.${alias('POST /v1/campaigns/{id}/resume')}`,
      refusals: ['not-now'],
      id: pathId,
      answer: shipmentAnswer,
      handler: async ({ accountId, id }, deps) => change(deps, naming, accountId, id, 'resume'),
    }),
    route(`POST /v1${path}/:id/cancel`, {
      access: dailyWork(changes('sender', 'send')),
      operationId: `cancel${suffix}`,
      title: `Cancel a ${noun}`,
      description: `Cancels the messages that were not submitted, and refunds their credit. Second messages by another channel (\`fallback\`) that were not accepted are not sent.${alias('POST /v1/campaigns/{id}/cancel')}`,
      refusals: ['not-now'],
      id: pathId,
      answer: cancelAnswer,
      handler: async ({ accountId, id }, deps) => {
        await find(deps, naming, accountId, id);
        const { cancelled, submitted, refunded } = await deps.canceller.byId(accountId, id);
        return { id: String(id), cancelled, submitted, refunded: formatAmount(refunded) };
      },
    }),
  ];
}

async function list(
  deps: ShipmentsDeps,
  accountId: number,
  { channel, name, search, after = Number.MAX_SAFE_INTEGER, limit }: z.output<typeof campaignsPage>,
  sendsOnly: boolean,
) {
  const { sql, progress } = deps;
  const wanted = {
    sendsOnly,
    channel: channel === undefined ? undefined : channelNumber(channel),
    name,
    search: search.trim(),
  };
  const { rows, next } = await readPage(limit, (most) => listShipments(sql, accountId, wanted, after, most));
  const counts = await progress.of(accountId, rows);
  const shown = rows.map((row) =>
    withStart(deps, accountId, row, showShipment(row, counts.get(row.id) ?? null)),
  );
  return { rows: await Promise.all(shown), next };
}

/** Adds the time at which a scheduled shipment begins to send. */
async function withStart(
  { sendingGate }: ShipmentsDeps,
  accountId: number,
  { lane, sending_rule: rule, due_at }: ShipmentRow,
  shown: ReturnType<typeof showShipment>,
) {
  if (shown.state !== 'scheduled') return { ...shown, starts_at: null };
  const send = { accountId, isCampaign: lane === lanes.bulk, rule };
  return { ...shown, starts_at: maybeIso(await sendingGate.startOf(send, due_at)) };
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
