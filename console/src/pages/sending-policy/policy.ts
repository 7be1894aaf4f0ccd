import { client } from '../../api/client.ts';
import type { Answer, RequestBody } from '../../api/operations.ts';
import { useDone } from '../../components/notify.ts';
import { sendingPolicy as en } from '../../i18n/en/sending-policy.ts';
import { sendingPolicy as he } from '../../i18n/he/sending-policy.ts';
import { textsOfPages } from '../../i18n/texts.tsx';

export const POLICY = '/v1/sending-policy';
export type Policy = Answer<typeof POLICY>;

/** The texts of the page, which are fetched with it. */
export const usePolicyTexts = textsOfPages({ en, he });

/** Changes a part of the policy and shows a confirmation. */
export function useChangePolicy(): (body: RequestBody<typeof POLICY, 'PATCH'>) => Promise<void> {
  const t = usePolicyTexts();
  const done = useDone();
  return async (body) => {
    await client.PATCH(POLICY, { body });
    await done(t.saved, POLICY);
  };
}
