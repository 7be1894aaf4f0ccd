import assert from 'node:assert/strict';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bundledEspeak } from '../../../server/channels/voice/speech/espeak.ts';
import { metrics } from '../../../server/kit/observability/metrics.ts';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone } from '../../support/phones.ts';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { callAt, finalLegsOf, legsOf, startVoiceService } from './support.ts';

/** What happens where nothing can speak: the service starts and works, and says what is missing. */
const folder = await mkdtemp(join(tmpdir(), 'carillon-no-speech-'));
after(() => rm(folder, { recursive: true }));
/** A program that speaks, where there was none. */
async function install(program: string): Promise<void> {
  const { command, args } = bundledEspeak;
  // Moved into its place when it is whole: it is looked for meanwhile.
  await writeFile(
    `${program}.new`,
    `#!/bin/sh\nexec '${command}' ${args.map((arg) => `'${arg}'`).join(' ')} "$@"\n`,
    { mode: 0o755 },
  );
  await rename(`${program}.new`, program);
}
const call = (phone = newPhone()) => ({
  source: 'Shop',
  destinations: { phone },
  message: 'Hi',
  tts: { type: 4, repeat: 1, rate: 10 },
});

test(
  'without espeak-ng a call is refused and an SMS is sent; after its installation calls work without a restart',
  covers('B3.no speech'),
  async () => {
    const program = join(folder, 'espeak-ng');
    const service = await startVoiceService({ VOICE_ESPEAK: program });
    const before = await countEverything(service.sql);
    for (const path of ['/api', '/api/test']) {
      const refused = await service.call('json', 'sms', call(), { path });
      assert.equal(refused.status, 511);
      assert.equal(refused.message, `tts: this service makes no calls: ${program} is not installed`);
    }
    assert.deepEqual(await countEverything(service.sql), before);
    const { tts: _without, ...sms } = call();
    assert.equal((await service.call('json', 'sms', sms)).status, 0);
    await install(program);
    const phone = newPhone();
    const answer = await waitFor('it to be found', async () => {
      const tried = await service.call('json', 'sms', call(phone));
      return tried.status === 0 && tried;
    });
    await finalLegsOf(service, answer);
    assert.equal((await callAt(service, phone)).text, 'Hi');
  },
);

test(
  'an engine that stops working after acceptance makes the call wait, visibly, and not fail',
  covers('B3.no speech'),
  async () => {
    const program = join(folder, 'broken');
    await writeFile(program, '#!/bin/sh\n[ "$1" = --version ] && exit 0\nexit 1\n');
    await chmod(program, 0o755);
    const service = await startVoiceService({ VOICE_ESPEAK: program, LOG_LEVEL: 'silent' });
    const phone = newPhone();
    const answer = await service.call('json', 'sms', call(phone));
    assert.equal(answer.status, 0, answer.message);
    const [leg] = await waitFor('the first try', async () => {
      const legs = await legsOf(service, answer);
      return legs[0]!.code !== null && legs;
    });
    assert.deepEqual([leg!.status, leg!.code], [-1, 'speech']);
    assert.match(await metrics.metrics(), /carillon_speech_texts_total\{from="failed"\} [1-9]/);
    await rm(program);
    await install(program);
    await service.advance(60);
    const [final] = await finalLegsOf(service, answer);
    assert.equal(final!.status, 102);
  },
);

test(
  'where it is switched off, or there is no trunk, tts is refused with why',
  covers('B3.no speech'),
  async () => {
    const off = await startVoiceService({ VOICE_ENGINE: 'off' });
    assert.match((await off.call('json', 'sms', call())).message, /VOICE_ENGINE is off$/);
    const noServer = await startVoiceService({ VOICE_ENGINE: 'server' });
    assert.match((await noServer.call('json', 'sms', call())).message, /VOICE_SPEECH_URL is not set$/);
    const bare = await startTestService({ sandbox: false, settings: { VERIFY_SOURCES: 'off' } });
    const account = await bare.addAccount({ username: 'shop' });
    const content = { user: { username: 'shop' }, ...call() };
    const refused = await bare.call('json', 'sms', content, { token: account.token });
    assert.deepEqual(
      [refused.status, refused.message],
      [511, 'tts: this service makes no calls: no trunk is configured'],
    );
  },
);
