import { defineTables } from '../../database/define-tables.ts';

/** Tables of send keys. */
export const sendKeysTables = defineTables({
  send_keys: {
    placement: 'account',
    sealed: { sealed_answer: { key: ['account_id', 'key'], sentTo: 'nowhere' } },
    personalData: 'erased',
  },
});
