import { z } from 'zod';
import { samplers, type TraceSettings } from './observability/tracing/settings.ts';
import { setting, text, type ValuesOf, whole } from './setting.ts';

/*
 * Settings of tracing, with the names of the OpenTelemetry specification ("Environment Variable Specification" and
 * "OTLP Exporter Configuration") where it defines one.
 */

const url = z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional();
const milliseconds = whole(1, 600_000);

/**
 * `name=value,name=value`, with percent-encoded values. Error messages do not contain the values, which may be secrets.
 */
const pairs = text.transform((value, context): Readonly<Record<string, string>> => {
  const read: Record<string, string> = {};
  for (const entry of value.split(',').map((one) => one.trim())) {
    if (entry === '') continue;
    const at = entry.indexOf('=');
    try {
      if (at < 1) throw new Error('no name');
      read[entry.slice(0, at).trim()] = decodeURIComponent(entry.slice(at + 1).trim());
    } catch {
      context.addIssue({ code: 'custom', message: 'must be name=value pairs with commas between' });
      return z.NEVER;
    }
  }
  return read;
});

export const traceSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    url,
    undefined,
    'Collector of OpenTelemetry traces by OTLP over HTTP, `http://localhost:4318`; spans are posted to `/v1/traces` below it. Without it, tracing is off (docs/tracing.md).',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(
    url,
    undefined,
    'Full address for spans, instead of OTEL_EXPORTER_OTLP_ENDPOINT.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    pairs,
    '',
    'Headers of exports, `name=value` separated by commas, values percent-encoded: usually a token of the collector. Never logged.',
  ),
  OTEL_EXPORTER_OTLP_TIMEOUT: setting(
    milliseconds,
    '10000',
    'Maximum duration of one export attempt, in milliseconds.',
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(
    z.literal('http/protobuf', { error: 'must be http/protobuf' }),
    'http/protobuf',
    'Protocol of exports.',
  ),
  OTEL_EXPORTER_OTLP_COMPRESSION: setting(
    z.enum(['gzip', 'none'], { error: 'must be gzip or none' }),
    'none',
    'Compression of exports.',
  ),
  OTEL_SERVICE_NAME: setting(text.min(1), 'carillon', 'Name of the service in traces.'),
  OTEL_RESOURCE_ATTRIBUTES: setting(
    pairs,
    '',
    'Additional attributes of this process in traces, `deployment.environment.name=production`, separated by commas.',
  ),
  OTEL_TRACES_SAMPLER: setting(
    z.enum(samplers, { error: `must be one of ${samplers.join(', ')}` }),
    'parentbased_always_on',
    'Sampler of requests. parentbased_… follows the decision of a caller that sends a `traceparent`.',
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    z.coerce
      .number({ error: 'must be a number from 0 to 1' })
      .min(0, 'must be a number from 0 to 1')
      .max(1, 'must be a number from 0 to 1'),
    '1',
    'Share of requests that traceidratio and parentbased_traceidratio sample, 0.01 is one in a hundred.',
  ),
  OTEL_BSP_SCHEDULE_DELAY: setting(
    milliseconds,
    '5000',
    'Maximum delay before an export, in milliseconds; a full batch is exported immediately.',
  ),
  OTEL_BSP_EXPORT_TIMEOUT: setting(
    milliseconds,
    '30000',
    'Maximum duration of an export with its retries, in milliseconds.',
  ),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: setting(whole(1, 100_000), '512', 'Maximum spans in one export.'),
  OTEL_BSP_MAX_QUEUE_SIZE: setting(
    whole(1, 1_000_000),
    '2048',
    'Maximum spans that wait for their export; more are dropped and counted (`carillon_trace_spans_dropped_total`).',
  ),
  OTEL_TRACES_EXPORTER: setting(
    z.enum(['otlp', 'none'], { error: 'must be otlp or none' }),
    'otlp',
    'none turns tracing off.',
  ),
  OTEL_SDK_DISABLED: setting(
    z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true'),
    'false',
    'true turns tracing off.',
  ),
  TRACE_CALLERS_PER_SECOND: setting(
    whole(0, 1_000_000),
    '10',
    'Maximum requests per second of one account that are traced with a `traceparent` of the caller, in each process; 0: a `traceparent` is ignored, and OTEL_TRACES_SAMPLER alone decides.',
  ),
} as const;

/** Returns the settings of tracing; undefined if it is off. */
export function tracingOf(
  config: ValuesOf<typeof traceSettings>,
  version: string,
): TraceSettings | undefined {
  const base = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const address =
    config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}${base.endsWith('/') ? '' : '/'}v1/traces`);
  if (!address || config.OTEL_SDK_DISABLED || config.OTEL_TRACES_EXPORTER === 'none') return undefined;
  const queue = config.OTEL_BSP_MAX_QUEUE_SIZE;
  return {
    url: address,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    timeoutMs: config.OTEL_EXPORTER_OTLP_TIMEOUT,
    exportMs: config.OTEL_BSP_EXPORT_TIMEOUT,
    isCompressed: config.OTEL_EXPORTER_OTLP_COMPRESSION === 'gzip',
    sampler: config.OTEL_TRACES_SAMPLER,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    resource: {
      'service.version': version,
      ...config.OTEL_RESOURCE_ATTRIBUTES,
      'service.name': config.OTEL_SERVICE_NAME,
    },
    batch: Math.min(config.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, queue),
    delayMs: config.OTEL_BSP_SCHEDULE_DELAY,
    queue,
    callersPerSecond: config.TRACE_CALLERS_PER_SECOND,
  };
}
