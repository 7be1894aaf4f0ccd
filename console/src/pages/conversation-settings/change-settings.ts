import { client } from '../../api/client.ts';
import type { Answer, RequestBody } from '../../api/operations.ts';
import { useDone } from '../../components/notify.ts';
import { SETTINGS } from './paths.ts';
import { useSettingsTexts } from './texts.ts';

export type Settings = Answer<typeof SETTINGS>;

/** Changes the settings of conversations and shows a confirmation. */
export function useChangeSettings(): (body: RequestBody<typeof SETTINGS, 'PATCH'>) => Promise<void> {
  const { hours: t } = useSettingsTexts();
  const done = useDone();
  return async (body) => {
    await client.PATCH(SETTINGS, { body });
    await done(t.saved, SETTINGS);
  };
}
