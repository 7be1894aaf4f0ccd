/** Other words by which the search finds pages, settings and actions. */
export const synonyms = {
  tokens: 'API keys, access tokens, credentials',
  requests: 'API logs',
  wallet: 'Billing, credit, payments, invoices, top-up',
  account: 'Brand, logo, company name, profile',
  timeZone: 'Timezone, UTC, local time',
  people: 'Team, members, users, invite, roles, permissions',
  secondFactor: '2FA, MFA, two-factor, authenticator',
  blacklist: 'Blocked numbers, suppression list, opt-outs',
  sendingPolicy: 'Shabbat, holidays, frequency caps',
  smppClients: 'SMPP server, binds, ESME, Kannel, Jasmin',
  webhooks: 'Callbacks, events, delivery reports, DLR',
  senders: 'Sender ID, from number, verify a number',
  reference: 'API docs, documentation, OpenAPI, SDK',
  audit: 'History, changes, activity log',
};
