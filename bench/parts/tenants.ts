import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { addAccounts } from '../support/accounts.ts';
import { type Field, type Flow, flow, quiet } from '../support/field.ts';
import { median } from '../support/numbers.ts';
import { ENDPOINT_SEEN_MS, startCarillon } from '../systems/carillon.ts';
import type { LoadTarget } from '../systems/requests.ts';

/** How many accounts send. */
export const TENANTS = [1, 200, 1_000] as const;
const KINDS = ['single', 'bulk'] as const;
type Kind = (typeof KINDS)[number];

/** Messages of a `bulk` here: what a customer among many sends at once. */
export const SMALL_BULK = 100;
const CONNECTIONS: Readonly<Record<Kind, number>> = { single: 50, bulk: 8 };

export interface TenantsOptions {
  readonly field: Field;
  readonly folder: string;
  readonly rounds: number;
  /** Messages of one measurement, one a request; `bulk` has twice as many. */
  readonly messages: number;
  readonly profile: string | undefined;
  readonly progress: (line: string) => void;
}

/** What was measured with so many accounts, by round. */
export interface Tenants {
  readonly accounts: number;
  readonly kind: Kind;
  readonly flows: readonly Flow[];
}

/** Measures the same messages sent by one account and by many in turns: the rounds alternate. */
export async function tenants(options: TenantsOptions): Promise<Tenants[]> {
  const { field, folder, rounds, messages, profile, progress } = options;
  const { smscPort, callbackPort } = field;
  const home = join(folder, 'tenants');
  const carillon = await startCarillon({ smscPort, callbackPort, folder: home, profile });
  const own = carillon.target as LoadTarget & { kind: 'carillon' };
  const added = await addAccounts(home, own, Math.max(...TENANTS));
  await pause(ENDPOINT_SEEN_MS);

  let first = 0;
  const measure = (accounts: number, kind: Kind, count: number) => {
    const size = kind === 'single' ? 1 : SMALL_BULK;
    const requests = Math.ceil((kind === 'single' ? count : 2 * count) / size);
    first += requests * size;
    const plan = { connections: CONNECTIONS[kind], requests, size, first: first - requests * size };
    return flow(field, carillon, { ...plan, senders: added.slice(0, accounts) });
  };
  progress('warming up');
  for (const kind of KINDS) await measure(Math.max(...TENANTS), kind, Math.min(messages, 20_000));

  const measured = KINDS.flatMap((kind) =>
    TENANTS.map((accounts) => ({ accounts, kind, flows: [] as Flow[] })),
  );
  for (let round = 1; round <= rounds; round++) {
    for (const { accounts, kind, flows } of measured) {
      await quiet(field, [carillon]);
      const one = await measure(accounts, kind, messages);
      flows.push(one);
      const { server = 0, postgres = 0 } = one.cpuPerThousand;
      progress(
        `round ${round}, ${kind}, ${accounts} accounts: ${Math.round(one.acceptedPerSecond)}/${Math.round(one.endToEndPerSecond)} a second, CPU ${Math.round(server * 1_000)} + ${Math.round(postgres * 1_000)} µs, others ${one.otherCores.toFixed(2)} cores`,
      );
    }
  }
  await carillon.stop();
  return measured;
}

/** The median over the rounds of a figure. */
export const overFlows = ({ flows }: Tenants, figure: (flow: Flow) => number): number =>
  median(flows.map(figure));
