import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import type { MailList } from '../mailing-lists/user-states.ts';

const PAGE = 500;
/** More than anybody chooses from. */
const PAGES_MOST = 10;

/** The mailing lists of the account, the newest first; those of the first pages. */
export function useMailLists() {
  return useQuery({
    queryKey: ['mail-lists', 'to-choose'],
    queryFn: async (): Promise<MailList[]> => {
      const lists: MailList[] = [];
      for (let page = 0, after = ''; page < PAGES_MOST; page++) {
        const { data } = await client.GET('/v1/mail/lists', {
          params: { query: { limit: PAGE, ...(after !== '' && { after }) } },
        });
        lists.push(...data!.lists);
        if (data!.lists.length < PAGE) break;
        after = data!.lists.at(-1)!.id;
      }
      return lists.reverse();
    },
  });
}
