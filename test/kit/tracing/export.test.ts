import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../server/kit/config.ts';
import { createLogger } from '../../../server/kit/observability/log.ts';
import { metrics } from '../../../server/kit/observability/metrics.ts';
import { CallerLimit } from '../../../server/kit/observability/tracing/caller-limit.ts';
import { openTracing } from '../../../server/kit/observability/tracing/open.ts';
import { asTraced, type Tracing } from '../../../server/kit/observability/tracing/tracing.ts';
import { tracingOf } from '../../../server/kit/trace-settings.ts';
import { atEnd } from '../../support/database.ts';
import { type Collector, startCollector } from '../../support/otlp.ts';
import { waitFor } from '../../support/wait-for.ts';
import { callerTrace, tracedBy } from './support.ts';

const SECRET = 'the-token-of-the-collector';

async function open(collector: Pick<Collector, 'url'>, more: Record<string, string> = {}) {
  const log: { msg: string; failure?: string }[] = [];
  const settings = tracingOf(readConfig({ ...tracedBy(collector.url), ...more }, []), '1.2.3');
  const logger = createLogger('info', { write: (line) => log.push(JSON.parse(line)) });
  const tracing = (await openTracing(settings, logger))!;
  atEnd(() => tracing.stop(0));
  return { tracing, log };
}

/** Counts of a metric, those of a reason where one is given. */
async function counted(name: string, reason?: string): Promise<number> {
  const metric = await metrics.getSingleMetric(name)!.get();
  return metric.values.find(({ labels }) => labels.reason === reason)?.value ?? 0;
}
const dropped = (reason: string) => counted('carillon_trace_spans_dropped_total', reason);

function spans(tracing: Tracing, count: number, name = 'work'): void {
  for (let i = 0; i < count; i++) tracing.group(name, []).end();
}
const { headers } = callerTrace();
const request = (tracing: Tracing, more = headers, accountId = 1) =>
  tracing.request(accountId, more, 'request', {});

test('spans are exported in batches, compressed and with the headers of the settings, which are not logged', async () => {
  const collector = await startCollector({ path: '/otlp/traces' });
  const { tracing, log } = await open(collector, {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/otlp/traces`,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${SECRET},x-tenant=a`,
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_SERVICE_NAME: 'texts',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,service.name=other',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
  });
  spans(tracing, 25);
  await waitFor('all of them', () => collector.spans.length === 25);
  assert.equal(collector.requests.length, 3);
  for (const sent of collector.requests) {
    assert.deepEqual(
      [sent.authorization, sent['x-tenant'], sent['content-encoding'], sent['content-type']],
      [`Bearer ${SECRET}`, 'a', 'gzip', 'application/x-protobuf'],
    );
  }
  const { resource } = collector.spans[0]!;
  assert.deepEqual(
    [resource['service.name'], resource['service.version'], resource['deployment.environment.name']],
    ['texts', '1.2.3', 'test'],
  );
  assert.ok(!JSON.stringify(log).includes(SECRET));
});

test('a collector that fails is logged once, its spans are counted, and it may return', async () => {
  const collector = await startCollector();
  collector.answer = 500;
  const { tracing, log } = await open(collector);
  const before = await dropped('export');
  for (const round of [1, 2, 3]) {
    // As the spans of a request end: what is told of the export does not belong to it.
    asTraced({ span: request(tracing) }, () => spans(tracing, 5));
    await waitFor('they are dropped', async () => (await dropped('export')) === before + 5 * round);
  }
  const told = () => log.map(({ msg }) => msg).filter((msg) => msg.includes('takes'));
  assert.deepEqual(told(), ['collector takes no spans, they are dropped']);
  const failed = log.find(({ failure }) => failure)!;
  assert.match(failed.failure!, /^500/);
  assert.ok(!('trace_id' in failed));
  collector.answer = 200;
  spans(tracing, 5);
  await waitFor('they are taken', () => collector.spans.length === 5);
  await waitFor('that is told', () => told().length === 2);
  assert.equal(told()[1], 'collector takes spans again');
});

test('a collector that does not answer fills a queue that has an end; nobody waits for it', async () => {
  const collector = await startCollector();
  collector.answer = null;
  const { tracing } = await open(collector, {
    OTEL_BSP_MAX_QUEUE_SIZE: '20',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5',
  });
  const before = await dropped('queue');
  spans(tracing, 100);
  // One batch is being exported, at most, beside what waits.
  await waitFor('the others are dropped', async () => (await dropped('queue')) >= before + 75);
  const beforeStop = await dropped('stop');
  await tracing.stop(50);
  assert.ok((await dropped('stop')) >= beforeStop + 15);
  spans(tracing, 1);
  assert.ok((await dropped('stop')) >= beforeStop + 16);
});

test('an unreachable collector costs its spans and nothing else', async () => {
  const collector = await startCollector();
  await collector.close();
  const { tracing, log } = await open(collector, { OTEL_EXPORTER_OTLP_TIMEOUT: '200' });
  spans(tracing, 5);
  await waitFor('it is told', () => log.some(({ msg }) => msg.includes('takes no spans')));
});

test('a stop exports what waits', async () => {
  const collector = await startCollector();
  const { tracing } = await open(collector, { OTEL_BSP_SCHEDULE_DELAY: '600000' });
  spans(tracing, 3);
  await tracing.stop(10_000);
  assert.equal(collector.spans.length, 3);
});

test('samplers: for requests that begin a trace, and for those with a sampled parent', async () => {
  const collector = await startCollector();
  const unsampled = callerTrace({ isSampled: false }).headers;
  const none = {} as typeof headers;
  const cases: [string, string, boolean[]][] = [
    // Without a caller's trace, with a sampled one, with one that is not.
    ['always_on', '1', [true, true, true]],
    ['always_off', '1', [false, false, false]],
    ['traceidratio', '0', [false, false, false]],
    ['traceidratio', '1', [true, true, true]],
    ['parentbased_always_on', '1', [true, true, false]],
    ['parentbased_always_off', '1', [false, true, false]],
    ['parentbased_traceidratio', '0', [false, true, false]],
  ];
  for (const [sampler, ratio, expected] of cases) {
    const { tracing } = await open(collector, {
      OTEL_TRACES_SAMPLER: sampler,
      OTEL_TRACES_SAMPLER_ARG: ratio,
    });
    const made = [none, headers, unsampled].map((sent) => request(tracing, sent) !== undefined);
    assert.deepEqual(made, expected, `${sampler} ${ratio}`);
    // What belongs to a sampled trace is sampled, whatever the sampler of this process says.
    const trace = headers.traceparent;
    tracing.span(trace, `part ${sampler} ${ratio}`).end();
    await waitFor('its part', () => collector.spans.some(({ name }) => name === `part ${sampler} ${ratio}`));
  }
});

test('the traceparent of a caller is used a limited number of times a second, whatever trace it names', async () => {
  const limit = new CallerLimit(2);
  assert.deepEqual(
    [10_000, 10_500, 10_999, 11_000].map((now) => limit.takes(1, now)),
    [true, true, false, true],
  );
  assert.equal(limit.takes(2, 11_000), true);

  const collector = await startCollector();
  // It is the clock that begins a new second: of so many requests at once some are beyond the limit in any case.
  const { tracing } = await open(collector, { TRACE_CALLERS_PER_SECOND: '1' });
  const before = await counted('carillon_trace_requests_limited_total');
  const made = Array.from({ length: 100 }, () => request(tracing)).filter(Boolean);
  assert.ok(made.length >= 1 && made.length < 100);
  assert.equal(await counted('carillon_trace_requests_limited_total'), before + 100 - made.length);
  assert.ok(Array.from({ length: 100 }, () => request(tracing, {} as typeof headers)).every(Boolean));
});

test('with no limit but 0, the traces of callers are ignored', async () => {
  const collector = await startCollector();
  const { tracing } = await open(collector, { TRACE_CALLERS_PER_SECOND: '0' });
  const span = request(tracing)!;
  assert.notEqual(span.trace.slice(3, 35), headers.traceparent.slice(3, 35));
});

test('what is stored of a trace and cannot be read breaks nothing', async () => {
  const collector = await startCollector();
  const { tracing } = await open(collector);
  for (const stored of ['', 'x', '00-1-2-01', ' a=1']) tracing.span(stored, 'unreadable').end();
  tracing.group('group', ['x', headers.traceparent]).end();
  const group = await waitFor('the group', () => collector.spans.find(({ name }) => name === 'group'));
  assert.equal(group.links.length, 1);
});

test('lines of the log of a traced request have its ids, others none', async () => {
  const collector = await startCollector();
  const { tracing } = await open(collector);
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('info', { write: (line) => lines.push(JSON.parse(line)) });
  const span = request(tracing)!;
  await asTraced({ span }, async () => {
    await Promise.resolve();
    log.info({ requestId: 'x' }, 'within');
  });
  asTraced({ span: undefined }, () => log.info('not sampled'));
  log.info('outside');
  const [within, ...others] = lines;
  assert.deepEqual([within!.trace_id, within!.span_id], [span.trace.slice(3, 35), span.trace.slice(36, 52)]);
  assert.equal(within!.requestId, 'x');
  for (const line of others) assert.ok(!('trace_id' in line || 'span_id' in line));
});

test('settings: on by an address alone, off by any of the switches, and refused when they cannot be used', () => {
  const read = (more: Record<string, string>) => tracingOf(readConfig(more, []), '1');
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/' };
  assert.equal(read({}), undefined);
  assert.equal(read(on)!.url, 'http://localhost:4318/v1/traces');
  assert.equal(read({ ...on, OTEL_SDK_DISABLED: 'true' }), undefined);
  assert.equal(read({ ...on, OTEL_TRACES_EXPORTER: 'none' }), undefined);
  assert.deepEqual([read(on)!.sampler, read(on)!.callersPerSecond], ['parentbased_always_on', 10]);
  assert.equal(read({ ...on, OTEL_BSP_MAX_QUEUE_SIZE: '100' })!.batch, 100);
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', SECRET],
    ['OTEL_EXPORTER_OTLP_HEADERS', `a=%${SECRET}`],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_BSP_SCHEDULE_DELAY', '0'],
  ] as const) {
    assert.throws(
      () => read({ ...on, [name]: value }),
      (error: Error) => error.message.startsWith(name) && !error.message.includes(SECRET),
      name,
    );
  }
});
