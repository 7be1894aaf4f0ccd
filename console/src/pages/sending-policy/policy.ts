import { client } from '../../api/client.ts';
import type { Answer, RequestBody } from '../../api/operations.ts';
import { useDone } from '../../components/notify.ts';
import { textsOfPages } from '../../i18n/use-texts.tsx';
import { sendingPolicy as en } from './texts.en.ts';
import { sendingPolicy as he } from './texts.he.ts';

export const POLICY = '/v1/sending-policy';
const DAY = '/v1/sending-policy/day';
export type Policy = Answer<typeof POLICY>;

/** The texts of the page, which are fetched with it. */
export const usePolicyTexts = textsOfPages({ en, he });

/** Changes a part of the policy and shows a confirmation. */
export function useChangePolicy(): (body: RequestBody<typeof POLICY, 'PATCH'>) => Promise<void> {
  const t = usePolicyTexts();
  const done = useDone();
  return async (body) => {
    await client.PATCH(POLICY, { body });
    await done(t.saved, POLICY, DAY);
  };
}
