import { join } from 'node:path';
import type { Plan } from '../children/load.ts';
import { startCarillon } from '../systems/carillon.ts';
import type { System } from '../systems/system.ts';
import { type Compared, KINDS, type Kind, Traffic, told } from './compared.ts';
import { type Field, flow, quiet } from './field.ts';

/** A service to compare with others, and its differences. */
export interface ServiceCase {
  readonly label: string;
  readonly settings?: Readonly<Record<string, string>> | undefined;
  /** Options of the SMPP connector, as in SMPP_URL. */
  readonly smppOptions?: string;
  /** Changes the data of the running service, given its folder, before any message is sent. */
  readonly prepare?: (folder: string) => Promise<void>;
}

export interface ComparedServicesOptions {
  readonly field: Field;
  readonly folder: string;
  readonly rounds: number;
  /** Messages per measurement, one per request; `bulk` has twice as many. */
  readonly messages: number;
  /** Requests per second of single messages; as many as possible without it. */
  readonly rate?: number | undefined;
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

/** Each service has one: receipts go to the process that has bound with it (children/smsc.ts). */
const SYSTEM_IDS = ['first', 'second', 'third'];

/**
 * Measures the same messages on a service for each case, in turns, at most three; the first case is the base of the
 * comparison.
 */
export async function compareServices(
  { field, folder, rounds, messages, rate, profile, progress }: ComparedServicesOptions,
  name: string,
  cases: readonly ServiceCase[],
): Promise<Compared[]> {
  const { smscPort, callbackPort } = field;
  const systems: Labelled[] = [];
  for (const [index, { label, settings, smppOptions, prepare }] of cases.entries()) {
    const home = join(folder, `${name}-${index}`);
    const system = await startCarillon({
      smscPort,
      callbackPort,
      folder: home,
      profile,
      systemId: SYSTEM_IDS[index]!,
      ...(settings && { settings }),
      ...(smppOptions !== undefined && { smppOptions }),
    });
    await prepare?.(home);
    systems.push({ label, system });
  }
  const traffic = new Traffic();
  const plan = (kind: Kind) =>
    kind === 'single' ? { ...traffic.plan(kind, messages), rate } : traffic.plan(kind, 2 * messages);
  const rows = await measureInTurns({ field, rounds, progress }, systems, plan);
  for (const { system } of systems) await system.stop();
  return rows;
}

/** A system under test, and its name in tables. */
export interface Labelled {
  readonly label: string;
  readonly system: System;
}

/** Measures each kind on each system once per round, in turns; the first system is the base. All are warmed up before. */
export async function measureInTurns(
  { field, rounds, progress }: Pick<ComparedServicesOptions, 'field' | 'rounds' | 'progress'>,
  systems: readonly Labelled[],
  plan: (kind: Kind) => Omit<Plan, 'target'>,
): Promise<Compared[]> {
  const measured = systems.map(({ label, system }, index) => ({
    system,
    rows: KINDS.map((kind): Compared => ({ kind, label, isBase: index === 0, flows: [] })),
  }));
  const all = systems.map(({ system }) => system);
  progress('warming up');
  for (const system of all) for (const kind of KINDS) await flow(field, system, plan(kind));
  for (let round = 1; round <= rounds; round++) {
    for (const kind of KINDS) {
      for (const { system, rows } of measured) {
        await quiet(field, all);
        const row = rows.find((one) => one.kind === kind)!;
        row.flows.push(await flow(field, system, plan(kind)));
        progress(`round ${round}, ${told(row)}`);
      }
    }
  }
  return KINDS.flatMap((kind) => measured.flatMap(({ rows }) => rows.filter((row) => row.kind === kind)));
}
