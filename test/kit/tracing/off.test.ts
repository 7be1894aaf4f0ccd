import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { after, test } from 'node:test';
import { startReceiver } from '../../engine/events/support.ts';
import { newPhone } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { callerTrace } from './support.ts';

/** Every module that is asked for from here on. */
const asked: string[] = [];
const hooks = registerHooks({
  resolve(specifier, context, next) {
    asked.push(specifier);
    return next(specifier, context);
  },
});
after(() => hooks.deregister());
const { DEMO_TOKEN, startTestService } = await import('../../support/service.ts');

test('off: nothing of OpenTelemetry is loaded, stored or sent on, whatever callers send', async () => {
  const service = await startTestService();
  const receiver = await startReceiver();
  await fetch(`${service.url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiver.url, types: ['message.status'] }),
  });
  const content = { source: 'Shop', destinations: { phone: newPhone() }, message: 'hello' };
  const { headers } = callerTrace();
  assert.equal((await service.call('json', 'sms', content, { headers })).status, 0);
  await waitFor('the webhook', () => receiver.received.length === 1);
  assert.equal(receiver.received[0]!.headers.traceparent, undefined);
  const rows = await service.sql`SELECT FROM messages WHERE trace IS NOT NULL`;
  assert.equal(rows.length, 0);
  assert.ok(
    asked.some(
      (specifier) =>
        specifier.endsWith('kit/observability/tracing/open.ts') ||
        specifier === './observability/tracing/open.ts',
    ),
  );
  // prom-client has the API of OpenTelemetry, which is small and does nothing.
  assert.deepEqual(
    asked.filter((specifier) => /@opentelemetry\/(?!api$)|otel\.ts/.test(specifier)),
    [],
  );
});

test('on: it is loaded, so the test above would have seen it', async () => {
  const { openTracing } = await import('../../../server/kit/observability/tracing/open.ts');
  const { createLogger } = await import('../../../server/kit/observability/log.ts');
  const { tracingOf } = await import('../../../server/kit/trace-settings.ts');
  const { readConfig } = await import('../../../server/kit/config.ts');
  const settings = tracingOf(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, []), '1');
  const tracing = await openTracing(settings, createLogger('silent'));
  await tracing!.stop(0);
  assert.ok(asked.includes('@opentelemetry/sdk-trace'));
});
