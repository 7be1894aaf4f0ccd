import type { CampaignList } from '../../engine/campaigns/source.ts';
import { findKeptRequest } from '../../engine/messages/kept-requests.ts';
import type { Context } from '../../kit/context.ts';
import type { ContactLists } from '../../modules/audience/contact-lists.ts';

interface Deps extends Pick<Context, 'sql'> {
  readonly contactLists: Pick<ContactLists, 'find'>;
}

/** Returns the contact lists of a send by SMS or calls (`listsOf` of ChannelModule). */
export async function listsOfSms(
  { sql, contactLists }: Deps,
  accountId: number,
  id: number,
): Promise<readonly CampaignList[]> {
  const kept = await findKeptRequest(sql, accountId, id);
  // A send with several texts has no stored request; its texts are stored until their messages are created.
  const texts = kept
    ? []
    : await sql<{ list_ids: number[] }[]>`
        SELECT list_ids FROM campaign_texts WHERE account_id = ${accountId} AND campaign_id = ${id}`;
  const ids = kept?.lists ?? texts.flatMap((text) => text.list_ids);
  return [...(await contactLists.find(accountId, ids)).values()];
}
