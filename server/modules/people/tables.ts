import { defineTables, noPersonalData } from '../../database/define-tables.ts';

/** Tables of people. */
export const peopleTables = defineTables({
  audit_log: {
    placement: 'account',
    partition: { unit: 'month' },
    retention: { kind: 'audit' },
    personalData: 'erased',
  },
  people: {
    placement: 'coordinator',
    sealed: { totp_secret: { key: ['id'], sentTo: 'nowhere', wasPlain: true } },
    personalData: noPersonalData.settings,
  },
  people_rules: { placement: 'coordinator', personalData: noPersonalData.settings },
  sessions: {
    placement: 'coordinator',
    sealed: { provider_id_token: { key: ['id'], sentTo: 'nowhere' } },
    personalData: noPersonalData.settings,
  },
  person_links: { placement: 'coordinator', personalData: noPersonalData.settings },
  recovery_codes: { placement: 'coordinator', personalData: noPersonalData.settings },
  passkeys: { placement: 'coordinator', personalData: noPersonalData.settings },
  sign_in_providers: {
    placement: 'coordinator',
    sealed: { client_secret: { key: ['id'], sentTo: ['issuer'] } },
    personalData: noPersonalData.settings,
  },
  sign_in_domains: { placement: 'coordinator', personalData: noPersonalData.settings },
  sign_in_flows: { placement: 'coordinator', personalData: noPersonalData.settings },
  person_identities: { placement: 'coordinator', personalData: noPersonalData.settings },
  passkey_challenges: { placement: 'coordinator', personalData: noPersonalData.settings },
});
