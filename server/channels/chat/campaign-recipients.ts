import type { ContactLists } from '../../audience/contact-lists.ts';
import { type ContactRow, toContact } from '../../audience/contact-rows.ts';
import { numbers, texts } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { isShared, isUsable, shownPhone } from './campaign-request.ts';
import { type CampaignRow, STEP } from './campaign-rows.ts';

/** Somebody who has no message of the campaign yet. */
export interface Recipient {
  /** E.164 digits; what was given for one that is no phone number. */
  readonly phone: string;
  readonly isUsable: boolean;
  /** The list that his fields are of, by its place in the campaign; null: he is in none. */
  readonly listIndex: number | null;
  /** df1 to df6. */
  readonly fields: readonly (string | null)[];
}

/** How far a campaign is. */
export interface Place {
  readonly chunk: number;
  readonly listIndex: number;
  readonly afterPhone: string;
  readonly isEnd: boolean;
}

/** The recipients of a step. */
export interface Page {
  /** In the order of the chunk or list. */
  readonly recipients: readonly Recipient[];
  /** Whether they are single phones, of the chunk that the campaign is at. */
  readonly isChunk: boolean;
  /** Where the campaign is when all of them are done. */
  readonly next: Place;
}

/** Reads the next recipients of a campaign: a chunk of single phones, then a page of a list. */
export async function readPage(
  parts: { readonly sql: Sql; readonly contactLists: ContactLists },
  campaign: CampaignRow,
): Promise<Page> {
  return campaign.phones_chunk < campaign.request.chunks
    ? readChunk(parts.sql, campaign)
    : readListPage(parts, campaign);
}

async function readChunk(sql: Sql, campaign: CampaignRow): Promise<Page> {
  const { account_id: accountId, id, phones_chunk: chunk, request, list_ids: listIds } = campaign;
  const [row] = await sql<{ phones: string[] }[]>`
    SELECT phones FROM chat_campaign_phones
    WHERE account_id = ${accountId} AND campaign_id = ${id} AND chunk = ${chunk}`;
  const phones = row?.phones ?? [];
  const known = isShared(request) ? new Map<string, Recipient>() : await findInLists(sql, campaign, phones);
  return {
    recipients: phones.map(
      (phone): Recipient =>
        known.get(phone) ?? {
          phone: shownPhone(phone),
          isUsable: isUsable(phone),
          listIndex: null,
          fields: [],
        },
    ),
    isChunk: true,
    next: {
      chunk: chunk + 1,
      listIndex: 0,
      afterPhone: '',
      isEnd: chunk + 1 === request.chunks && listIds.length === 0,
    },
  };
}

/** Single phones that are in a list of the campaign, too, have their fields of the first such list. */
async function findInLists(
  sql: Sql,
  { account_id: accountId, list_ids: listIds }: CampaignRow,
  phones: readonly string[],
): Promise<Map<string, Recipient>> {
  const rows = await sql<ContactRow[]>`
    SELECT list_id, phone, df1, df2, df3, df4, df5, df6 FROM contacts
    WHERE account_id = ${accountId} AND list_id = ANY(${numbers(listIds)}::bigint[])
      AND phone = ANY(${texts(phones)}::text[])`;
  const found = new Map<string, Recipient>();
  for (const row of rows) {
    const listIndex = listIds.indexOf(row.list_id);
    const known = found.get(row.phone);
    if (known && known.listIndex! < listIndex) continue;
    found.set(row.phone, { ...toContact(row), isUsable: true, listIndex });
  }
  return found;
}

async function readListPage(
  { sql, contactLists }: { readonly sql: Sql; readonly contactLists: ContactLists },
  campaign: CampaignRow,
): Promise<Page> {
  const { account_id: accountId, list_ids: listIds, list_index: listIndex, after_phone: after } = campaign;
  const listId = listIds[listIndex]!;
  // One that was removed meanwhile has nobody.
  const isThere = (await contactLists.find(accountId, [listId])).has(listId);
  const contacts = isThere ? await contactLists.page(sql, accountId, listId, after, STEP) : [];
  const passed = await findPassed(
    sql,
    campaign,
    contacts.map(({ phone }) => phone),
  );
  const isListEnd = contacts.length < STEP;
  return {
    recipients: contacts
      .filter(({ phone }) => !passed.has(phone))
      .map(({ phone, fields }) => ({ phone, fields, isUsable: true, listIndex })),
    isChunk: false,
    next: {
      chunk: campaign.phones_chunk,
      listIndex: isListEnd ? listIndex + 1 : listIndex,
      afterPhone: isListEnd ? '' : contacts.at(-1)!.phone,
      isEnd: isListEnd && listIndex === listIds.length - 1,
    },
  };
}

/** Those of the phones that have their message: named singly, or in an earlier list. */
async function findPassed(
  sql: Sql,
  { account_id: accountId, id, request, list_index: listIndex }: CampaignRow,
  phones: readonly string[],
): Promise<Set<string>> {
  if (request.chunks === 0 && listIndex === 0) return new Set();
  const rows = await sql<{ phone: string }[]>`
    SELECT recipient AS phone FROM messages
    WHERE account_id = ${accountId} AND recipient = ANY(${texts(phones)}::text[]) AND id > ${id} AND shipment_id = ${id}`;
  return new Set(rows.map(({ phone }) => phone));
}

/** Where a campaign is when only the first `done` recipients of a page are. */
export function placeWithin(campaign: CampaignRow, page: Page, done: number): Place {
  return {
    chunk: campaign.phones_chunk,
    listIndex: campaign.list_index,
    afterPhone: page.isChunk ? '' : page.recipients[done - 1]!.phone,
    isEnd: false,
  };
}
