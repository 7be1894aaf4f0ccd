import { defineTables } from '../../database/define-tables.ts';

/** Tables of consents. */
export const consentsTables = defineTables({
  consents: { placement: 'account', personalData: 'erased' },
  consent_heads: { placement: 'account', personalData: 'erased' },
  consent_subjects: { placement: 'account', personalData: 'erased' },
});
