import { join } from 'node:path';
import { Traffic } from '../support/compared.ts';
import { type Field, type Flow, flow, quiet } from '../support/field.ts';
import { median } from '../support/statistics.ts';
import { startCarillon } from '../systems/carillon.ts';
import { kannelVersion, startKannel } from '../systems/kannel.ts';

export interface ThroughputOptions {
  readonly field: Field;
  readonly folder: string;
  readonly rounds: number;
  /** Our messages per round, one per request; Kannel gets a third, `bulk` five times as many. */
  readonly messages: number;
  readonly single: boolean;
  /** Whether `single` is also measured with send keys, in turns. */
  readonly keys: boolean;
  /** Requests of `single` per second; without it each connection sends its next request after the answer. */
  readonly rate: number | undefined;
  readonly bulk: boolean;
  /** Whether Kannel is also measured, if it is installed. */
  readonly peer: boolean;
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

export interface Throughput {
  readonly kannel: string | null;
  /** Measurements of each round. */
  readonly rounds: readonly {
    readonly kannel?: Flow;
    readonly single?: Flow;
    readonly keyed?: Flow;
    readonly bulk?: Flow;
  }[];
}

/** Measures one message per request, `bulk`, and Kannel, in rounds. */
export async function throughput(options: ThroughputOptions): Promise<Throughput> {
  const { field, folder, progress } = options;
  const kannelHere = options.peer ? kannelVersion() : null;
  const surroundings = { smscPort: field.smscPort, callbackPort: field.callbackPort };
  const carillon = await startCarillon({
    ...surroundings,
    folder: join(folder, 'carillon'),
    profile: options.profile,
  });
  const traffic = new Traffic();
  const singles = (messages: number) => ({ ...traffic.plan('single', messages), rate: options.rate });
  const bulks = (messages: number) => traffic.plan('bulk', messages);

  // A fresh start each time: the spool and lists of one measurement must not slow down the next.
  const measureKannel = async (round: number) => {
    const kannel = await startKannel({ ...surroundings, folder: join(folder, `kannel-${round}`) });
    await flow(field, kannel, singles(2_000));
    await quiet(field, [carillon, kannel]);
    const measured = await flow(field, kannel, singles(Math.ceil(options.messages / 3)));
    await kannel.stop();
    return measured;
  };

  progress('warming up');
  if (options.single) await flow(field, carillon, singles(Math.min(10_000, options.messages)));
  if (options.keys) await flow(field, carillon, { ...singles(10_000), keyed: true });
  if (options.bulk) await flow(field, carillon, bulks(50_000));

  const rounds: Throughput['rounds'][number][] = [];
  for (let round = 1; round <= options.rounds; round++) {
    const measured: { kannel?: Flow; single?: Flow; keyed?: Flow; bulk?: Flow } = {};
    if (kannelHere) measured.kannel = await measureKannel(round);
    if (options.single) {
      await quiet(field, [carillon]);
      measured.single = await flow(field, carillon, singles(options.messages));
    }
    if (options.keys) {
      await quiet(field, [carillon]);
      measured.keyed = await flow(field, carillon, { ...singles(options.messages), keyed: true });
    }
    if (options.bulk) {
      await quiet(field, [carillon]);
      measured.bulk = await flow(field, carillon, bulks(options.messages * 5));
    }
    rounds.push(measured);
    const rate = (name: string, figures?: Flow) =>
      figures
        ? `, ${name} ${Math.round(figures.acceptedPerSecond)}/${Math.round(figures.endToEndPerSecond)}`
        : '';
    progress(
      `round ${round}, accepted/end to end per second${rate('Kannel', measured.kannel)}${rate('single', measured.single)}${rate('with keys', measured.keyed)}${rate('bulk', measured.bulk)}`,
    );
  }
  await carillon.stop();
  return { kannel: kannelHere, rounds };
}

/** Returns the median of a figure over the rounds; undefined if no round has it. */
export function overRounds(
  { rounds }: Throughput,
  figure: (round: Throughput['rounds'][number]) => number | undefined,
): number | undefined {
  const values = rounds.map(figure).filter((value) => value !== undefined);
  return values.length > 0 ? median(values) : undefined;
}
