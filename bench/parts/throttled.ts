import { join } from 'node:path';
import { type Compared, Traffic, told } from '../support/compared.ts';
import type { ComparedServicesOptions } from '../support/compared-services.ts';
import { flow, quiet } from '../support/field.ts';
import { type Carillon, startCarillon } from '../systems/carillon.ts';

/** Share of messages that the carrier refuses at random with ESME_RTHROTTLED. */
const REFUSED = 0.35;
const BINDS = [1, 2];
/** At most 1,000 submits per second, so that the carrier is the limit even on a busy machine. */
const WINDOW = 20;
const ANSWER_MS = 20;
/** Receipts go to the process that has bound with the id (children/smsc.ts). */
const SYSTEM_IDS = ['first', 'second'];

/**
 * Measures `bulk` over a carrier that accepts everything and over one that refuses 35 % at random, with one and two binds, in turns.
 * A carrier that refuses this share accepts 0.65 of what is submitted, so the best possible ratio is 0.65.
 */
export async function throttled(options: ComparedServicesOptions): Promise<Compared[]> {
  const { field, folder, rounds, messages, profile, progress } = options;
  const { smsc, smscPort, callbackPort } = field;
  const traffic = new Traffic();
  const systems: { readonly carillon: Carillon; readonly rows: readonly (readonly [number, Compared])[] }[] =
    [];
  for (const [index, binds] of BINDS.entries()) {
    const carillon = await startCarillon({
      ...{ smscPort, callbackPort, profile },
      folder: join(folder, `throttled-${index}`),
      systemId: SYSTEM_IDS[index]!,
      smppOptions: `binds=${binds}&window=${WINDOW}`,
    });
    const row = (share: number): readonly [number, Compared] => {
      const label = `${binds} ${binds === 1 ? 'bind' : 'binds'}, ${share === 0 ? 'nothing' : `${share * 100} %`} refused`;
      return [share, { kind: 'bulk', label, isBase: index === 0 && share === 0, flows: [] }];
    };
    systems.push({ carillon, rows: [row(0), row(REFUSED)] });
  }
  const all = systems.map(({ carillon }) => carillon);
  progress('warming up');
  for (const carillon of all) await flow(field, carillon, traffic.plan('bulk', messages));
  for (let round = 1; round <= rounds; round++) {
    for (const { carillon, rows } of systems) {
      for (const [share, row] of rows) {
        await quiet(field, all);
        await smsc.ask('refuse', { share, answerDelayMs: ANSWER_MS });
        row.flows.push(await flow(field, carillon, traffic.plan('bulk', 2 * messages)));
        await smsc.ask('refuse', { share: 0, answerDelayMs: 0 });
        progress(`round ${round}, ${told(row)}`);
      }
    }
  }
  for (const carillon of all) await carillon.stop();
  return systems.flatMap(({ rows }) => rows.map(([, row]) => row));
}
