import { defineTables } from '../../database/define-tables.ts';

/** Tables of test messages. Rows are deleted within a day (`TestMessages.cleanUp`). */
export const testMessagesTables = defineTables({
  test_messages: { placement: 'coordinator', personalData: 'erased' },
});
