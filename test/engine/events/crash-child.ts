/*
 * A process that is killed in the middle of its pushes, for crash.test.ts. Arguments: the database, the receiver's
 * address and how many events to record.
 */

import { connect } from '../../../server/database/connection.ts';
import { Events } from '../../../server/engine/events/events.ts';
import { systemClock } from '../../../server/kit/clock.ts';
import { createIdSource } from '../../../server/kit/ids.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { secrets } from '../../support/secrets.ts';
import { record, statusEvent, upTo } from './support.ts';

const [target, url, count] = process.argv.slice(2);
const sql = connect(JSON.parse(target!));
const events = new Events({
  secrets,
  sql,
  clock: systemClock,
  ids: createIdSource(60, systemClock),
  log: createLogger('silent'),
  boot: 'boot-of-the-victim',
  allowPrivate: true,
  displayNumber: (digits) => digits,
  timeZoneOf: () => 'Asia/Jerusalem',
  connections: 4,
});
await events.start();
await events.endpoints.register({ accountId: 1, kind: 'dlr', url: url! });
const now = Date.now();
await record(
  sql,
  events,
  1,
  upTo(Number(count)).map((n) => statusEvent(n, now)),
);
