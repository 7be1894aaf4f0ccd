import { texts } from '../../database/arrays.ts';
import type { OwnUse, PersonalDataPart } from '../../modules/personal-data/part.ts';
import { partOf } from '../../modules/personal-data/table-parts.ts';

/** SMS that came in, and the numbers of the account that they come to. */
export const incomingPart: PersonalDataPart = {
  ...partOf([
    {
      table: 'incoming',
      kind: 'incoming-sms',
      by: { source: ['phones'] },
      key: ['id'],
      shown: ['id', 'source', 'destination', 'text', 'octets'],
    },
  ]),

  async ownUses({ sql, accountId, subject: { phones, addresses } }) {
    return sql<OwnUse[]>`
      SELECT number AS identifier, 'inbound-number' AS use FROM inbound_numbers
      WHERE account_id = ${accountId} AND number = ANY(${texts([...phones, ...addresses])}::text[])`;
  },
};
