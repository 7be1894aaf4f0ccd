import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of audience. */
export const audienceTables = defineTables({
  sources: { placement: 'account', personalData: noPersonalData.settings },
  blacklist: { placement: 'account', personalData: 'erased' },
  blacklist_removals: { placement: 'account', personalData: 'erased' },
  contact_lists: { placement: 'account', personalData: noPersonalData.content },
  contacts: { placement: 'account', personalData: 'erased' },
  csv_jobs: { placement: 'account', personalData: 'erased' },
  csv_chunks: { placement: 'account', personalData: 'erased' },
  csv_refusals: { placement: 'account', personalData: 'erased' },
  suppressions: { placement: 'account', personalData: 'erased' },
  phone_verifications: { placement: 'coordinator', personalData: 'erased' },
  source_requests: { placement: 'coordinator', personalData: noPersonalData.settings },
});
