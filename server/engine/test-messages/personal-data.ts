import type { PersonalDataPart } from '../../modules/personal-data/part.ts';
import { partOf } from '../../modules/personal-data/table-parts.ts';

/** Test messages of operators, with the exchanges of HTTP connectors. */
export const testMessagesPart: PersonalDataPart = partOf([
  {
    table: 'test_messages',
    kind: 'test-messages',
    by: { phone: ['phones'] },
    key: ['id'],
    shown: ['id', 'phone', 'connector', 'exchange'],
  },
]);
