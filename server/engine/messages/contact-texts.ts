import type { Sql } from '../../database/connection.ts';
import type { ContactLists } from '../../modules/audience/contact-lists.ts';
import type { EstimateDeps } from './list-costs.ts';
import type { Words } from './send-request.ts';
import { TextRenderer, writeExample } from './text-template.ts';

interface ContactTextDeps extends Pick<EstimateDeps, 'links'> {
  readonly sql: Sql;
  readonly contactLists: Pick<ContactLists, 'page'>;
}

interface AskedContacts {
  readonly accountId: number;
  readonly words: Words;
  readonly listId: number;
  /** Number of the contact before the first one, E.164 digits; '' for the beginning of the list. */
  readonly after: string;
  readonly limit: number;
}

/** Returns a text as contacts of a list would receive it, with links of their real length, in the order of their numbers. */
export async function textsForContacts(
  { sql, links, contactLists }: ContactTextDeps,
  { accountId, words: { template, text }, listId, after, limit }: AskedContacts,
): Promise<{ readonly phone: string; readonly text: string }[]> {
  const contacts = await contactLists.page(sql, accountId, listId, after, limit);
  const renderer = template && new TextRenderer(template);
  return contacts.map(({ phone, fields }) => ({
    phone,
    text: renderer ? writeExample(renderer, links, fields) : text,
  }));
}
