import { bigints, smallints, textArray } from '../../database/binary-arrays.ts';
import type { Queryable } from '../../database/connection.ts';
import { type RowAccounts, rowsOf } from '../../database/row-accounts.ts';
import type { TableBeside } from '../../database/rows-beside.ts';
import type { Addresses } from '../../protocols/smpp/pdu.ts';

/** A submitted message, or part of one, whose client wants to know its outcome. */
export interface SubmittedMessage extends Omit<Addresses, 'serviceType'> {
  readonly accountId: number;
  readonly clientId: number;
  /** Id that the client gets. */
  readonly id: number;
  readonly shipmentId: number;
  /** Recipient, E.164 digits. */
  readonly phone: string;
  readonly registeredDelivery: number;
  /** Milliseconds since the epoch. */
  readonly submittedAt: number;
}

/** Inserts messages without a final status, as a complete statement or as part of one. Known ones are left as they are. */
export function insertOpenMessages(
  sql: Queryable,
  accounts: number | RowAccounts,
  messages: readonly SubmittedMessage[],
) {
  const { account, from, named, where } = rowsOf(sql, accounts);
  return sql`
    INSERT INTO smpp_messages (account_id, id, phone, client_id, shipment_id, source, source_ton, source_npi, destination,
      destination_ton, destination_npi, registered_delivery, submitted_at)
    SELECT ${account}, u.id, u.phone, u.client_id, u.shipment_id, u.source, u.source_ton, u.source_npi, u.destination,
      u.destination_ton, u.destination_npi, u.registered_delivery, u.submitted_at
    FROM ${from}
      ${bigints(messages.map(({ id }) => id))}::bigint[],
      ${textArray(messages.map(({ phone }) => phone))}::text[],
      ${bigints(messages.map(({ clientId }) => clientId))}::bigint[],
      ${bigints(messages.map(({ shipmentId }) => shipmentId))}::bigint[],
      ${textArray(messages.map(({ source }) => source))}::text[],
      ${smallints(messages.map(({ sourceTon }) => sourceTon))}::smallint[],
      ${smallints(messages.map(({ sourceNpi }) => sourceNpi))}::smallint[],
      ${textArray(messages.map(({ destination }) => destination))}::text[],
      ${smallints(messages.map(({ destinationTon }) => destinationTon))}::smallint[],
      ${smallints(messages.map(({ destinationNpi }) => destinationNpi))}::smallint[],
      ${smallints(messages.map(({ registeredDelivery }) => registeredDelivery))}::smallint[],
      ${bigints(messages.map(({ submittedAt }) => submittedAt))}::bigint[]
    ) AS u (${named} id, phone, client_id, shipment_id, source, source_ton, source_npi, destination, destination_ton,
      destination_npi, registered_delivery, submitted_at)
    ${where}
    ON CONFLICT ON CONSTRAINT smpp_messages_pkey DO NOTHING`;
}

/** The messages without a final status, stored with their shipments. */
export const openMessages: TableBeside<SubmittedMessage> = {
  cte: (sql, accounts, messages) => sql`smpp_open AS (${insertOpenMessages(sql, accounts, messages)})`,
};
