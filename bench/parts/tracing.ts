import { join } from 'node:path';
import { startChild } from '../support/child.ts';
import { type Compared, KINDS, type Kind, Traffic, told } from '../support/compared.ts';
import { type Field, flow, quiet } from '../support/field.ts';
import { type Carillon, startCarillon } from '../systems/carillon.ts';

/** What is traced, by the settings of the service; the first is what the others are compared with. */
const CASES: readonly { readonly label: string; readonly ratio: string | undefined }[] = [
  { label: 'tracing off', ratio: undefined },
  { label: '1 % of requests traced', ratio: '0.01' },
  { label: 'every request traced', ratio: '1' },
];

export interface TracingOptions {
  readonly field: Field;
  readonly folder: string;
  readonly rounds: number;
  /** Messages of one measurement, one a request; `bulk` has twice as many. */
  readonly messages: number;
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

/**
 * Measures the same messages with tracing off, of one request in a hundred and of all, in turns. The collector takes everything
 * and reads nothing of it; the service begins each trace itself.
 */
export async function tracing(options: TracingOptions): Promise<Compared[]> {
  const { field, folder, rounds, messages, profile, progress } = options;
  const { smscPort, callbackPort } = field;
  const collector = await startChild('receiver.ts');
  const url = `http://127.0.0.1:${await collector.ask<number>('port')}`;
  const systems: { readonly carillon: Carillon; readonly rows: readonly Compared[] }[] = [];
  for (const [index, { label, ratio }] of CASES.entries()) {
    const settings = ratio && {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: ratio,
      OTEL_BSP_MAX_QUEUE_SIZE: '100000',
    };
    const carillon = await startCarillon({
      smscPort,
      callbackPort,
      folder: join(folder, `tracing-${index}`),
      profile,
      ...(settings && { settings }),
    });
    const rows = KINDS.map((kind): Compared => ({ kind, label, isBase: index === 0, flows: [] }));
    systems.push({ carillon, rows });
  }
  const all = systems.map(({ carillon }) => carillon);
  const traffic = new Traffic();
  const plan = (kind: Kind) => traffic.plan(kind, kind === 'single' ? messages : 2 * messages);
  progress('warming up');
  for (const { carillon } of systems) for (const kind of KINDS) await flow(field, carillon, plan(kind));
  for (let round = 1; round <= rounds; round++) {
    for (const kind of KINDS) {
      for (const { carillon, rows } of systems) {
        await quiet(field, all);
        const row = rows.find((one) => one.kind === kind)!;
        row.flows.push(await flow(field, carillon, plan(kind)));
        progress(`round ${round}, ${told(row)}`);
      }
    }
  }
  for (const carillon of all) await carillon.stop();
  return KINDS.flatMap((kind) => systems.flatMap(({ rows }) => rows.filter((row) => row.kind === kind)));
}
