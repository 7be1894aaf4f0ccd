/** Outcomes: the code of a refused request, the code or status of a message that failed, `sent`, or `waits`. */
const EXEMPT = 'sent';
export const SENT = 'sent';
export const WAITS = 'waits';
/** Rules that a channel does not have. */
export const noRule = null;
type RuleName = 'country' | 'denied range' | 'sender' | 'blacklist' | 'quiet hours' | 'cap' | 'consent';
type Outcomes = Readonly<Record<RuleName, string | null>>;

/** Outcomes by attempt and rule. The test fails for an attempt of gate-callers.ts that has none here, and no reason for that. */
export const expected = {
  sms: {
    country: 'bad-destination',
    'denied range': 'bad-destination',
    sender: 'source-not-verified',
    blacklist: 'all-blocked',
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'not-now',
  },
  call: {
    country: 'bad-destination',
    'denied range': 'bad-destination',
    sender: 'source-not-verified',
    blacklist: 'all-blocked',
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'not-now',
  },
  'contact list': {
    country: '998',
    'denied range': 'DENIED_RANGE',
    sender: 'source-not-verified',
    blacklist: '201',
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'NO_CONSENT',
  },
  code: {
    country: 'bad-destination',
    'denied range': 'bad-destination',
    sender: 'source-not-verified',
    blacklist: 'all-blocked',
    'quiet hours': EXEMPT,
    cap: EXEMPT,
    consent: EXEMPT,
  },
  verification: {
    country: 'bad-destination',
    'denied range': 'bad-destination',
    sender: noRule,
    blacklist: 'all-blocked',
    'quiet hours': EXEMPT,
    cap: EXEMPT,
    consent: EXEMPT,
  },
  'reply in a conversation': {
    country: 'bad-destination',
    'denied range': 'bad-destination',
    sender: noRule,
    blacklist: 'all-blocked',
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'not-now',
  },
  'automatic reply': {
    country: 'bad-destination',
    'denied range': 'bad-destination',
    sender: noRule,
    blacklist: 'all-blocked',
    'quiet hours': EXEMPT,
    cap: EXEMPT,
    consent: EXEMPT,
  },
  'landline call': {
    country: 'bad-destination',
    'denied range': 'bad-destination',
    sender: noRule,
    blacklist: 'refused',
    'quiet hours': EXEMPT,
    cap: EXEMPT,
    consent: EXEMPT,
  },
  'alert test': {
    country: EXEMPT,
    'denied range': 'refused',
    sender: noRule,
    blacklist: 'refused',
    'quiet hours': EXEMPT,
    cap: EXEMPT,
    consent: EXEMPT,
  },
  'chat message': {
    country: SENT,
    'denied range': SENT,
    sender: 'unknown-source',
    blacklist: SENT,
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'not-now',
  },
  'chat campaign': {
    country: SENT,
    'denied range': SENT,
    sender: 'unknown-source',
    blacklist: 'blacklisted',
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'NO_CONSENT',
  },
  'mail campaign': {
    country: noRule,
    'denied range': noRule,
    sender: 'source-not-verified',
    blacklist: 'bad-field',
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'NO_CONSENT',
  },
  'mail test': {
    country: noRule,
    'denied range': noRule,
    sender: 'source-not-verified',
    blacklist: noRule,
    'quiet hours': WAITS,
    cap: 'FREQUENCY_CAP',
    consent: 'NO_CONSENT',
  },
} as const satisfies Readonly<Record<string, Outcomes>>;
