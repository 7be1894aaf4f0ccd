import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';

export type ContactList =
  paths['/v1/contact-lists/{id}']['get']['responses'][200]['content']['application/json'];

const PAGE = 500;
/** More than anybody chooses from. */
const PAGES_MOST = 10;

/** The contact lists of the account, the newest first; those of the first pages. */
export function useContactLists() {
  return useQuery({
    queryKey: ['contact-lists', 'to-choose'],
    queryFn: async (): Promise<ContactList[]> => {
      const lists: ContactList[] = [];
      for (let page = 0, after = ''; page < PAGES_MOST; page++) {
        const { data } = await client.GET('/v1/contact-lists', {
          params: { query: { limit: PAGE, ...(after !== '' && { after }) } },
        });
        lists.push(...data!.contact_lists);
        if (data!.contact_lists.length < PAGE) break;
        after = data!.contact_lists.at(-1)!.id;
      }
      return lists.reverse();
    },
  });
}
