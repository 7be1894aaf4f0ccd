import { startChild } from '../support/child.ts';
import type { Compared } from '../support/compared.ts';
import { type ComparedServicesOptions, compareServices } from '../support/compared-services.ts';

/**
 * Measures the same messages with tracing off, for one request in a hundred, and for all, in turns. The collector
 * accepts everything and reads nothing; the service begins each trace itself.
 */
export async function tracing(options: ComparedServicesOptions): Promise<Compared[]> {
  const collector = await startChild('receiver.ts');
  const url = `http://127.0.0.1:${await collector.ask<number>('port')}`;
  const traced = (ratio: string) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: ratio,
    OTEL_BSP_MAX_QUEUE_SIZE: '100000',
  });
  return compareServices(options, 'tracing', [
    { label: 'tracing off' },
    { label: '1 % of requests traced', settings: traced('0.01') },
    { label: 'every request traced', settings: traced('1') },
  ]);
}
