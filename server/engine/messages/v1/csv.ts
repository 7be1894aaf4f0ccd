import { iso, maybeIso } from '../../../api/openapi/out.ts';
import { timeOfId } from '../../../kit/ids.ts';
import { displayRecipient } from '../../../kit/numbers/phone-numbers.ts';
import { statusTexts } from '../../../kit/statuses.ts';
import { type CsvCell, type CsvChunk, csvOf } from '../../../kit/text/csv.ts';
import { formatAmount, parseAmount } from '../../../modules/accounts/money.ts';
import type { FoundMessage } from '../search.ts';
import type { ShipmentMessage } from '../shipments.ts';
import { stateOf } from '../states.ts';
import { channelName, showFailure } from './fields.ts';

/* Messages as CSV files, without their texts. */

/** Columns of a file, in their order. */
type Columns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

const columns: Columns<ShipmentMessage> = {
  id: ({ id }) => String(id),
  phone: ({ recipient }) => displayRecipient(recipient),
  source: ({ source }) => source,
  external_id: ({ external_id: id }) => id,
  state: stateOf,
  status: ({ status }) => status,
  status_text: ({ status }) => statusTexts(status).en,
  carrier_status: ({ code }) => code,
  reason: reasonOf,
  accepted_at: ({ id }) => iso(timeOfId(id)),
  submitted_at: ({ handed_at: at }) => maybeIso(at),
  ended_at: ({ final_at: at }) => maybeIso(at),
  read_at: ({ read_at: at }) => maybeIso(at),
  parts: ({ parts }) => parts,
  price: ({ price }) => formatAmount(parseAmount(price)),
};

/** A message in the export of a search. */
type ExportedMessage = FoundMessage & { readonly campaignName: string | null };

const foundColumns: Columns<ExportedMessage> = {
  ...columns,
  channel: ({ channel }) => channelName(channel),
  shipment_id: ({ shipment_id: id }) => String(id),
  campaign_name: ({ campaignName }) => campaignName,
};

const example =
  '1774337460000002,0501234567,Shop,order-17,delivered,102,Delivered,DELIVRD/000,,2026-03-24T07:31:00.000Z,2026-03-24T07:31:01.000Z,2026-03-24T07:31:04.000Z,,1,0.25';
export const shipmentExample = `${Object.keys(columns).join(',')}\r\n${example}\r\n`;
export const foundExample = `${Object.keys(foundColumns).join(',')}\r\n${example},sms,1774337460000001,Spring\r\n`;

/** Writes the messages of a shipment. */
export const writeShipment = (pages: AsyncIterable<readonly ShipmentMessage[]>) => write(columns, pages);

/** Writes the messages that a search found. */
export const writeFound = (pages: AsyncIterable<readonly ExportedMessage[]>) => write(foundColumns, pages);

function write<Row>(of: Columns<Row>, pages: AsyncIterable<readonly Row[]>): AsyncGenerator<CsvChunk> {
  const cells = Object.values(of);
  return csvOf(Object.keys(of), pages, (row) => cells.map((cell) => cell(row)));
}

function reasonOf(row: ShipmentMessage): string | null {
  const { channel, status, code, handed_at: handedAt } = row;
  const state = stateOf(row);
  if (state !== 'failed' && state !== 'cancelled') return null;
  return showFailure({ channel, status, code, submitted: handedAt !== null }).why;
}
