import { defineTables } from '../../database/define-tables.ts';

/** Tables of data subjects. */
export const dataSubjectsTables = defineTables({
  data_subject_requests: {
    placement: 'account',
    sealed: { sealed: { key: ['account_id', 'id'], sentTo: 'nowhere' } },
    personalData: { none: 'the request itself: who it is about is sealed, and forgotten with its end' },
  },
  data_subject_chunks: {
    placement: 'account',
    personalData: { none: 'the request itself: who it is about is sealed, and forgotten with its end' },
  },
});
