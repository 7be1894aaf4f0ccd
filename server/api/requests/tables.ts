import { defineTables } from '../../database/define-tables.ts';

/** Tables of requests. */
export const requestsTables = defineTables({
  request_log: {
    placement: 'account',
    partition: { unit: 'day', keepDays: 'REQUEST_LOG_DAYS' },
    retention: { kind: 'requests' },
    personalData: { none: 'requests of programs, by ids and addresses of the network, for REQUEST_LOG_DAYS' },
  },
});
