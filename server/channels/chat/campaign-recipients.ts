import { numbers, texts } from '../../database/arrays.ts';
import type { Sql, TransactionSql } from '../../database/connection.ts';
import { type CampaignPage, type CampaignRow, STEP } from '../../engine/campaigns/source.ts';
import { MAX_PHONES } from '../../engine/messages/send-request.ts';
import { displayRecipient } from '../../kit/numbers/phone-numbers.ts';
import type { ContactLists } from '../../modules/audience/contact-lists.ts';
import { type ContactRow, toContact } from '../../modules/audience/contact-rows.ts';
import { type CampaignMessage, isShared, isUsable, shownPhone } from './campaign-request.ts';

/** Content and recipients of a campaign's messages. */
export interface ChatContent extends CampaignMessage {
  /** Id of the row in `chat_templates`. */
  readonly templateId: number;
  readonly listIds: readonly number[];
  /** Number of single phones; absent in campaigns of earlier versions. */
  readonly phones?: number;
  /** Whether common values were removed (modules/retention/texts.ts). */
  readonly isRemoved?: boolean;
}

/** Position of a campaign: the chunk of single phones, then the list and the contact. */
export interface ChatPlace {
  readonly chunk: number;
  readonly listIndex: number;
  readonly afterPhone: string;
}

export type ChatCampaign = CampaignRow<ChatContent, ChatPlace>;

/** A recipient without a message of the campaign yet. */
interface Recipient {
  /** E.164 digits; for an invalid number, its original text. */
  readonly phone: string;
  readonly isUsable: boolean;
  /** Index of the list with their fields within the campaign; null: they are in no list. */
  readonly listIndex: number | null;
  /** df1 to df6. */
  readonly fields: readonly (string | null)[];
}

/** The recipients of a step. */
export interface RecipientPage extends CampaignPage<ChatPlace> {
  /** In the order of the chunk or list. */
  readonly recipients: readonly Recipient[];
  /** Whether they are single phones of the campaign's current chunk. */
  readonly isChunk: boolean;
}

/** Reads the next recipients of a campaign: a chunk of single phones, then a page of a list. */
export async function readPage(
  deps: { readonly sql: Sql; readonly contactLists: ContactLists },
  campaign: ChatCampaign,
): Promise<RecipientPage> {
  return campaign.place.chunk < campaign.content.chunks
    ? readChunk(deps.sql, campaign)
    : readListPage(deps, campaign);
}

async function readChunk(sql: Sql, campaign: ChatCampaign): Promise<RecipientPage> {
  const { account_id: accountId, id, content } = campaign;
  const { chunk } = campaign.place;
  const [row] = await sql<{ phones: string[] }[]>`
    SELECT phones FROM chat_campaign_phones
    WHERE account_id = ${accountId} AND campaign_id = ${id} AND chunk = ${chunk}`;
  const phones = row?.phones ?? [];
  const known = isShared(content) ? new Map<string, Recipient>() : await findInLists(sql, campaign, phones);
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
    size: phones.length,
    next:
      chunk + 1 === content.chunks && content.listIds.length === 0
        ? null
        : { chunk: chunk + 1, listIndex: 0, afterPhone: '' },
  };
}

/** Single phones that are also in a list of the campaign have the fields of the first such list. */
async function findInLists(
  sql: Sql,
  { account_id: accountId, content: { listIds } }: ChatCampaign,
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
  campaign: ChatCampaign,
): Promise<RecipientPage> {
  const { account_id: accountId } = campaign;
  const { listIds } = campaign.content;
  const { chunk, listIndex, afterPhone: after } = campaign.place;
  const listId = listIds[listIndex]!;
  // A list that was removed in the meantime has no contacts.
  const isThere = (await contactLists.find(accountId, [listId])).has(listId);
  const contacts = isThere ? await contactLists.page(sql, accountId, listId, after, STEP) : [];
  const passed = await findPassed(
    sql,
    campaign,
    contacts.map(({ phone }) => phone),
  );
  const isListEnd = contacts.length < STEP;
  const recipients = contacts
    .filter(({ phone }) => !passed.has(phone))
    .map(({ phone, fields }) => ({ phone, fields, isUsable: true, listIndex }));
  const isEnd = isListEnd && listIndex === listIds.length - 1;
  const afterPhone = isListEnd ? '' : contacts.at(-1)!.phone;
  return {
    recipients,
    isChunk: false,
    size: recipients.length,
    next: isEnd ? null : { chunk, listIndex: isListEnd ? listIndex + 1 : listIndex, afterPhone },
  };
}

/**
 * Returns the single phones of a campaign as the caller wrote them: those with a message, then the others.
 */
export async function singlePhones(
  sql: Sql,
  accountId: number,
  id: number,
  { phones: count, listIds }: ChatContent,
): Promise<string[]> {
  const chunks = await sql<{ phones: string[] }[]>`
    SELECT phones FROM chat_campaign_phones WHERE account_id = ${accountId} AND campaign_id = ${id} ORDER BY chunk`;
  const left = chunks.flatMap(({ phones }) => phones.map((phone) => displayRecipient(shownPhone(phone))));
  const done = count === undefined ? (listIds.length === 0 ? MAX_PHONES : 0) : count - left.length;
  const rows = await sql<{ recipient: string }[]>`
    SELECT recipient FROM messages
    WHERE account_id = ${accountId} AND id > ${id} AND shipment_id = ${id} ORDER BY id LIMIT ${done}`;
  return [...rows.map(({ recipient }) => displayRecipient(recipient)), ...left];
}

/** Returns those of the phones that already have their message: named singly, or in an earlier list. */
async function findPassed(
  sql: Sql,
  { account_id: accountId, id, content, place }: ChatCampaign,
  phones: readonly string[],
): Promise<Set<string>> {
  if (content.chunks === 0 && place.listIndex === 0) return new Set();
  const rows = await sql<{ phone: string }[]>`
    SELECT recipient AS phone FROM messages
    WHERE account_id = ${accountId} AND recipient = ANY(${texts(phones)}::text[]) AND id > ${id} AND shipment_id = ${id}`;
  return new Set(rows.map(({ phone }) => phone));
}

/** Returns the position of a campaign after the first `count` recipients of a page. */
export function placeWithin(
  { place }: ChatCampaign,
  { isChunk, recipients }: RecipientPage,
  count: number,
): ChatPlace {
  return { ...place, afterPhone: isChunk ? '' : recipients[count - 1]!.phone };
}

/** Deletes the first `count` phones of the campaign's current chunk, which have their messages. */
export async function deletePhones(
  tx: TransactionSql,
  { account_id: accountId, id, place: { chunk } }: ChatCampaign,
  { recipients }: RecipientPage,
  count: number,
): Promise<void> {
  await (count === recipients.length
    ? tx`
        DELETE FROM chat_campaign_phones
        WHERE account_id = ${accountId} AND campaign_id = ${id} AND chunk = ${chunk}`
    : tx`
        UPDATE chat_campaign_phones SET phones = phones[${count + 1}::integer:]
        WHERE account_id = ${accountId} AND campaign_id = ${id} AND chunk = ${chunk}`);
}
