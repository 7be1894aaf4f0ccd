import { encodePdu } from '../../server/protocols/smpp/encoder.ts';
import { partsOf, submitPdu, validityPeriod } from '../../server/protocols/smpp/outgoing.ts';
import { smppConnectorSettings } from '../../server/protocols/smpp/settings.ts';
import type { LoadResult, Plan } from '../children/load.ts';
import { type Compared, type Kind, Traffic } from '../support/compared.ts';
import { type ComparedServicesOptions, measureInTurns } from '../support/compared-services.ts';
import { allCalledBack, type Field, seen } from '../support/field.ts';
import { bodyOf } from '../support/http-message.ts';
import { startCarillon } from '../systems/carillon.ts';
import { type Floor, startFloor } from '../systems/floor.ts';
import { phoneOf, textOf } from '../systems/requests.ts';
import type { System } from '../systems/system.ts';

/**
 * Measures the least work that a message can cost in Node.js (children/floor.ts), in turns with Carillon. Throws when the
 * two do not write the same to the network, to the client and to the receiver.
 */
export async function floor({
  field,
  folder,
  rounds,
  messages,
  profile,
  progress,
}: ComparedServicesOptions): Promise<readonly Compared[]> {
  const { smscPort, callbackPort } = field;
  const surroundings = { smscPort, callbackPort, folder };
  const carillon = await startCarillon({ ...surroundings, systemId: 'first', profile });
  const least = await startFloor(surroundings);
  const traffic = new Traffic();
  await checkSame(field, traffic, carillon, least);
  // `bulk` has five times as many messages, as in `single` and `bulk` without the floor.
  const plan = (kind: Kind) => traffic.plan(kind, kind === 'single' ? messages : 5 * messages);
  const systems = [
    { label: 'floor', system: least },
    { label: 'Carillon', system: carillon },
  ];
  const rows = await measureInTurns({ field, rounds, progress }, systems, plan);
  await checkStored(least);
  await carillon.stop();
  await least.stop();
  return rows;
}

/** Throws when an answer, a submit_sm or a callback of the floor differs from Carillon's in more than digits. */
async function checkSame(field: Field, traffic: Traffic, carillon: System, least: Floor): Promise<void> {
  const written: Record<string, string>[] = [];
  for (const system of [carillon, least]) {
    const plan = traffic.plan('single', 1);
    const { count } = await seen(field);
    await field.receiver.ask('keepNext');
    const { answer } = await field.load.ask<LoadResult>('run', {
      ...plan,
      target: system.target,
    } satisfies Plan);
    await allCalledBack(field, system.name, count + 1);
    written.push({ answer: bodyOf(answer), callback: bodyOf(await field.receiver.ask<string>('kept')) });
  }
  const submits = {
    carillon: submitOf(1),
    floor: await least.submitOf(`972${phoneOf(1).slice(1)}`, textOf(1)),
  };
  const [ours, floors] = written as [Record<string, string>, Record<string, string>];
  const different = Object.keys(ours).filter(
    (name) => withoutDigits(ours[name]!) !== withoutDigits(floors[name]!),
  );
  if (submits.carillon.length !== submits.floor.length) different.push('submit_sm');
  if (different.length > 0) {
    throw new Error(
      `the floor writes another ${different.join(' and ')}: ${JSON.stringify({ ours, floors, submits }, null, 2)}`,
    );
  }
}

/** Returns the submit_sm that Carillon's connector writes, as hexadecimal digits. */
function submitOf(message: number): string {
  const settings = smppConnectorSettings.parse({ name: 'floor', host: 'localhost', systemId: 'floor' });
  const outgoing = {
    accountId: 1,
    id: 1,
    validUntil: 0,
    source: 'Carillon',
    destination: `972${phoneOf(message).slice(1)}`,
    payload: textOf(message),
  };
  const [part] = partsOf(outgoing, settings)!;
  const validity = validityPeriod(86_399_000, 0, settings.validity);
  return encodePdu(submitPdu(outgoing, part!, validity, 1, settings)).toString('hex');
}

const withoutDigits = (text: string) => text.replaceAll(/\d/g, '0');

/** Throws when the floor lost a message, or did not book it. */
async function checkStored(least: Floor): Promise<void> {
  const stored = await least.stored();
  const { messages, delivered, shipments, ledger, paid } = stored;
  if (delivered !== messages || ledger !== shipments || paid !== 1e9) {
    throw new Error(`the floor lost messages: ${JSON.stringify(stored)}`);
  }
}
