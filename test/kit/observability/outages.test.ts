import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger, ofOutage } from '../../../server/kit/observability/log.ts';
import { metrics } from '../../../server/kit/observability/metrics.ts';
import { NamedOutages, Outage } from '../../../server/kit/observability/outages.ts';
import { textOf } from '../../../server/kit/observability/text-log.ts';

const lines: string[] = [];
const log = createLogger('info', { write: (line) => void lines.push(line) });
const logged = () => lines.splice(0).map((line) => JSON.parse(line) as Record<string, unknown>);

test('an outage is two lines, however many attempts fail, and its attempts are counted', async () => {
  const outage = new Outage({ kind: 'carrier', log, gone: 'carrier lost', back: 'carrier back' });
  outage.worked();
  assert.deepEqual(logged(), []);
  for (let n = 0; n < 478; n++) outage.failed({ reason: `attempt ${n}` });
  assert.ok(outage.isOn);
  outage.worked();
  outage.worked();
  const [gone, back, ...more] = logged();
  assert.deepEqual([gone!.msg, gone!.level, gone!.reason], ['carrier lost', 50, 'attempt 0']);
  assert.deepEqual([back!.msg, back!.level, back!.failures], ['carrier back', 30, 478]);
  assert.equal(typeof back!.seconds, 'number');
  assert.deepEqual(more, []);
  const shown = await metrics.metrics();
  assert.match(shown, /^carillon_outage_failures_total\{what="carrier"\} 478$/m);
  assert.match(shown, /^carillon_outages_total\{what="carrier"\} 1$/m);
});

test('each named dependency has its own outage, and only failing ones are remembered, 1,000 at most', () => {
  const outages = new NamedOutages({
    kind: 'media',
    log,
    level: 'warn',
    gone: 'host lost',
    back: 'host back',
  });
  for (let n = 0; n < 3; n++)
    for (const name of ['a.example', 'b.example']) outages.failed(name, { reason: 'x' });
  outages.worked('a.example');
  outages.worked('never failed');
  const told = logged();
  assert.deepEqual(
    told.map(({ msg, level, name, failures }) => [msg, level, name, failures]),
    [
      ['host lost', 40, 'a.example', undefined],
      ['host lost', 40, 'b.example', undefined],
      ['host back', 30, 'a.example', 3],
    ],
  );
  assert.equal(outages.size, 1);
  for (let n = 0; n < 5_000; n++) outages.failed(`host-${n}`, {});
  assert.equal(outages.size, 1_000);
  logged();
});

test('lines about an error that an outage has counted are left to its own lines', () => {
  const error = Object.assign(new Error('gone'), { [ofOutage]: true });
  log.error({ err: error }, 'work failed');
  log.error({ err: new Error('work failed', { cause: error }) }, 'work failed');
  assert.deepEqual(logged(), []);
  log.error({ err: error, outage: 'database' }, 'database unavailable');
  log.error({ err: new Error('another') }, 'work failed');
  assert.deepEqual(
    logged().map(({ msg }) => msg),
    ['database unavailable', 'work failed'],
  );
});

test('text of a line: time, level, message and fields, without the fields that every line has', () => {
  const entry = {
    level: 40,
    time: '2026-11-24T10:20:30.123Z',
    host: 'api-1',
    role: 'api',
    link: 'smpp',
    reason: 'connection reset',
    roles: ['api', 'jobs'],
    msg: 'carrier connection lost',
  };
  const text = textOf(JSON.stringify(entry), false);
  assert.match(
    text,
    /^\d\d:\d\d:30 warn {2}carrier connection lost link=smpp reason="connection reset" roles=api,jobs\n$/,
  );
  assert.ok(textOf(JSON.stringify(entry), true).includes('\u001b[33mwarn'));
});

test('text of a line: no value writes to the terminal or begins a line', () => {
  const hostile = 'x\n00:00:00 info  ready\u001b[2J\u009b2J\r\u2028';
  const entry = { level: 50, time: '2026-11-24T10:20:30.123Z', a: hostile, [hostile]: 1, msg: hostile };
  const err = { message: hostile, stack: `Error: ${hostile}\n    at run (file.ts:1:2)` };
  const text = textOf(JSON.stringify({ ...entry, err }), false);
  assert.deepEqual(text.match(/[\p{Cc}\u2028]/gu), ['\n', '\n']);
  assert.ok(text.endsWith('\n    at run (file.ts:1:2)\n'), text);
});
