import type { AlertKind, Measured } from './condition.ts';
import type { ToldAlert } from './notifications.ts';

const examples: Readonly<Record<AlertKind, { readonly subject: string; readonly measured: Measured }>> = {
  'low-balance': { subject: '', measured: { account: 'shop', balance: '42.5', below: '100' } },
  'delivery-rate': {
    subject: '97250',
    measured: { subject: '97250', rate: 61.3, usual: 94.8, messages: 212 },
  },
  webhook: {
    subject: '1774337460000001',
    measured: { host: 'example.com', state: 'failing', since: 1_774_337_460_000 },
  },
  'code-fraud': { subject: '9725012', measured: { prefix: '9725012', stopped: 25 } },
  'queue-age': { subject: 'bulk', measured: { lane: 'bulk', minutes: 17, messages: 1_200 } },
  'connector-down': {
    subject: 'carrier',
    measured: { connector: 'carrier', state: 'down', reason: 'access', detail: 'bind: ESME_RINVPASWD' },
  },
  'connector-delivery-rate': {
    subject: 'carrier',
    measured: { subject: 'carrier', rate: 61.3, usual: 94.8, messages: 2_120 },
  },
  'event-backlog': { subject: '', measured: { minutes: 12, events: 3_000 } },
  quarantine: { subject: '', measured: { results: 3 } },
  disk: { subject: '', measured: { free_percent: 7.4 } },
  'backup-age': { subject: '', measured: { hours: 31 } },
};

/** An alert that a test of a rule of this kind tells of. */
export const exampleOf = (kind: AlertKind, id: number, now: number): ToldAlert => ({
  id,
  kind,
  ...examples[kind],
  beganAt: now,
  endedAt: null,
  times: 1,
});
