import { readCarriers } from '../../engine/carriers/configuration.ts';
import { settingsOf } from '../../kit/config.ts';
import { type Check, fail, ok, skip } from '../../run/doctor/check.ts';
import { voiceSettings } from './settings.ts';
import { chooseEngine } from './speech/choose.ts';

/** Whether a text can be read aloud. */
export const speechCheck: Check = {
  name: 'speech',
  title: 'Speech',
  about: 'Install a speech engine if you make calls ([voice.md](voice.md)).',
  async run({ appContext: { config, log } }) {
    if ((readCarriers(config)?.trunks ?? []).length === 0) return [skip('no trunk is configured')];
    const chosen = chooseEngine(settingsOf(config, voiceSettings), log);
    try {
      const utterance = { text: 'One two three', language: 'en', voice: 'ymFemale', rate: 0 } as const;
      const { length } = await chosen.engine.speak(utterance);
      return length > 0
        ? [ok(`${chosen.name} speaks`)]
        : [fail(`${chosen.name} makes no sound`, 'See docs/voice.md.')];
    } catch (error) {
      return [
        fail(`nothing speaks: ${(error as Error).message}`, 'Install espeak-ng, or set VOICE_SPEECH_URL.'),
      ];
    } finally {
      await chosen.close();
    }
  },
};
