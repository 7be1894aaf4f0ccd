import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { attachEmbedded } from '../../server/database/embedded.ts';
import { addAccounts } from '../support/accounts.ts';
import { type Compared, KINDS, type Kind, Traffic, told } from '../support/compared.ts';
import type { ComparedServicesOptions } from '../support/compared-services.ts';
import { flow, quiet } from '../support/field.ts';
import { show } from '../support/statistics.ts';
import { ENDPOINT_SEEN_MS, startCarillon } from '../systems/carillon.ts';
import type { LoadTarget } from '../systems/requests.ts';

/** Numbers of sending accounts. */
const TENANTS = [1, 200, 1_000] as const;
/** A small `bulk`, as one customer among many sends it. */
const SMALL_BULK = { size: 100, connections: 8 };

/** Measures the same messages sent by one account and by many in turns, in alternating rounds. */
export async function tenants(options: ComparedServicesOptions): Promise<Compared[]> {
  const { field, folder, rounds, messages, profile, progress } = options;
  const { smscPort, callbackPort } = field;
  const home = join(folder, 'tenants');
  const carillon = await startCarillon({ smscPort, callbackPort, folder: home, profile });
  const own = carillon.target as LoadTarget & { kind: 'carillon' };
  const { target } = await attachEmbedded(home);
  const added = await addAccounts(target, own, Math.max(...TENANTS));
  await pause(ENDPOINT_SEEN_MS);

  const traffic = new Traffic();
  const measure = (accounts: number, kind: Kind, count: number) => {
    const plan = kind === 'single' ? traffic.plan(kind, count) : traffic.plan(kind, 2 * count, SMALL_BULK);
    return flow(field, carillon, { ...plan, senders: added.slice(0, accounts) });
  };
  progress('warming up');
  for (const kind of KINDS) await measure(Math.max(...TENANTS), kind, Math.min(messages, 20_000));

  const measured = KINDS.flatMap((kind) =>
    TENANTS.map((accounts) => {
      const of = kind === 'single' ? '' : `of ${SMALL_BULK.size}, `;
      const label = `${of}${accounts === 1 ? '1 account' : `${show(accounts)} accounts`}`;
      return { accounts, row: { kind, label, isBase: accounts === 1, flows: [] } as Compared };
    }),
  );
  for (let round = 1; round <= rounds; round++) {
    for (const { accounts, row } of measured) {
      await quiet(field, [carillon]);
      row.flows.push(await measure(accounts, row.kind, messages));
      progress(`round ${round}, ${told(row)}`);
    }
  }
  await carillon.stop();
  return measured.map(({ row }) => row);
}
