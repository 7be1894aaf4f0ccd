import { defineTables, noPersonalData } from '../database/define-tables.ts';

/** Tables of secrets. */
export const secretsTables = defineTables({
  installation_keys: {
    placement: 'coordinator',
    sealed: { sealed: { key: ['purpose'], sentTo: 'nowhere', wasPlain: true } },
    personalData: noPersonalData.installation,
  },
});
