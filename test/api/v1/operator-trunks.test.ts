import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startVoiceService } from '../../channels/voice/support.ts';
import { newPhone } from '../../support/phones.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson } from './calls.ts';

interface Carrier {
  readonly name: string;
  readonly channel: string;
  readonly state: string;
  readonly taken: number;
  readonly in_flight: number;
  readonly window: number;
  readonly trunk: { caller_id: string; calls_per_second: number; prefixes: string[] } | null;
}
interface Carriers {
  readonly carriers: Carrier[];
  readonly calls_problem: string | null;
}

test('trunks stand among the connectors, with how they are set up and what they do', async () => {
  const service = await startVoiceService();
  const operator = await asPerson(service, 'operator');
  const trunkWith = (what: string, check: (trunk: Carrier) => boolean) =>
    waitFor(what, async () => {
      const { carriers } = await operator.get<Carriers>('/operator/carriers');
      const trunk = carriers.find(({ channel }) => channel === 'voice');
      return trunk !== undefined && check(trunk) && trunk;
    });
  const trunk = await trunkWith('the trunk is up', ({ state }) => state === 'up');
  assert.deepEqual(
    [trunk.name, trunk.window, trunk.trunk],
    ['sandbox-voice', 100, { caller_id: '97237000000', calls_per_second: 0, prefixes: [''] }],
  );
  const { carriers, calls_problem: problem } = await operator.get<Carriers>('/operator/carriers');
  assert.equal(problem, null);
  assert.equal(carriers.find(({ name }) => name === 'sandbox')!.trunk, null);
  const answer = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone: newPhone() },
    message: 'Hello there',
    tts: { type: 4 },
  });
  assert.equal(answer.status, 0, answer.message);
  await trunkWith('a call is under way', ({ in_flight: open }) => open === 1);
  await trunkWith('it was answered', ({ taken, in_flight: open }) => taken === 1 && open === 0);
});

test('an operator sees why no calls can be made', async () => {
  const silent = await startVoiceService({ VOICE_ESPEAK: '/nowhere/espeak-ng' });
  const { calls_problem: problem } = await (await asPerson(silent, 'operator')).get<Carriers>(
    '/operator/carriers',
  );
  assert.equal(problem, '/nowhere/espeak-ng is not installed');
});
