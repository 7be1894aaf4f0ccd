import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of accounts. */
export const accountsTables = defineTables({
  wallets: { placement: 'account', personalData: noPersonalData.settings },
  ledger: { placement: 'account', personalData: noPersonalData.counts },
  accounts: { placement: 'coordinator', personalData: noPersonalData.settings },
  account_holds: { placement: 'coordinator' },
  tokens: { placement: 'coordinator', personalData: noPersonalData.settings },
  prices: { placement: 'coordinator', personalData: noPersonalData.settings },
});
