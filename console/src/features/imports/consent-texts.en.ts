/** Consent recorded with an import. */
export const importConsent = {
  add: 'Record a consent for these people',
  hint: 'The consent log records who agreed to what, when, and on which form. Blocked people stay on the blacklist, and unsubscribed people stay unsubscribed.',
  channel: 'They agreed to messages by',
  any: 'Any channel',
  form: 'Form',
  formHint: 'Its name, such as newsletter-2026',
  text: 'Text they agreed to',
  when: 'When they agreed',
  ways: { date: 'Same date for everyone', column: 'From a column' },
  at: 'Time',
  column: 'Column with the date',
  columnHint: 'Such as 2026-02-01 or 01/02/2026. Rows without a date are imported without a consent.',
  choose: 'Choose a column',
};
