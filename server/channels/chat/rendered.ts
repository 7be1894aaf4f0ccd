import { texts } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { findCampaign } from '../../engine/campaigns/rows.ts';
import {
  type ChatButtonView,
  type ChatHeaderView,
  type ChatView,
  type ContentReader,
  nothing,
  type TextsReader,
} from '../../engine/messages/message-content.ts';
import type { TemplateValues } from '../../protocols/chat-platform/messages.ts';
import { templateStatus } from '../../protocols/chat-platform/template-status.ts';
import type { TemplateButton, TemplateContent } from '../../protocols/chat-platform/templates.ts';
import type { ChatContent as CampaignContent } from './campaign-recipients.ts';
import { chatChannel } from './channel.ts';
import { type ChatContent, chatCodec } from './content.ts';
import { findReceived } from './quotes.ts';
import type { Templates } from './templates.ts';

type Action = Extract<ChatContent, { kind: 'buttons' }>['action'];

const placeholders = /\{\{(\d+)\}\}/g;
/** Text of the platform's coupon button. */
const COUPON_TEXT = 'Copy offer code';
/** The platform's text of authentication templates, whose body may be missing in its list. */
const CODE_BODY = '*{{1}}* is your verification code.';
const CODE_ADVICE = ' For your security, do not share this code.';

/** Returns a function that reads the content of chat messages as recipients see them. */
export function chatContentReader(sql: Sql, templates: Pick<Templates, 'byRowId'>): ContentReader {
  return async (accountId, { own, shared, shipmentId, source }) => {
    const campaign =
      source === null
        ? await findCampaign<CampaignContent>(sql, accountId, chatChannel.id, shipmentId)
        : undefined;
    if (own === null && shared === null) {
      const template = campaign && (await templates.byRowId(accountId, campaign.content.templateId));
      return { ...nothing, chat: template ? viewOfTemplate(template.content, null) : null };
    }
    const content = chatCodec.decode({ own, shared, call: null });
    if (content.kind !== 'template') {
      const replyTo =
        content.replyTo === undefined ? null : await findReceived(sql, accountId, content.replyTo);
      return { ...nothing, text: content.body, chat: viewOf(content), replyTo };
    }
    const template = await findTemplate(sql, accountId, source ?? campaign?.sender ?? '', content);
    const chat = template
      ? viewOfTemplate(template, content.values)
      : { ...empty, body: content.values.body.join(' · ') };
    return { ...nothing, text: chat.body, chat };
  };
}

/** Returns a function that reads the texts of templates with their values, as recipients got them. */
export const chatTextsReader =
  (sql: Sql): TextsReader =>
  async (accountId, messages) => {
    const sent = messages.flatMap(({ id, source: phone, own, shared }) => {
      const stored = own ?? shared;
      const content = stored ? (JSON.parse(stored) as ChatContent) : undefined;
      return content?.kind === 'template' ? [{ id, phone, content }] : [];
    });
    if (sent.length === 0) return new Map();
    const names = [...new Set(sent.map(({ content }) => content.name))];
    const rows = await sql<TemplateRow[]>`
      SELECT phone, name, language, content FROM chat_templates
      WHERE account_id = ${accountId} AND name = ANY(${texts(names)}::text[])
      ORDER BY status <> ${templateStatus.deleted}, id`;
    const keyOf = (phone: string, name: string, language: string) => JSON.stringify([phone, name, language]);
    // Later rows replace earlier ones: a deleted template counts only if no other exists.
    const templates = new Map(rows.map((row) => [keyOf(row.phone, row.name, row.language), row.content]));
    return new Map(
      sent.flatMap(({ id, phone, content: { name, language, values } }): [number, string][] => {
        const template = templates.get(keyOf(phone, name, language));
        return template ? [[id, viewOfTemplate(template, values).body]] : [];
      }),
    );
  };

interface TemplateRow {
  readonly phone: string;
  readonly name: string;
  readonly language: string;
  readonly content: TemplateContent;
}

const empty: ChatView = {
  kind: 'template',
  media: null,
  header: null,
  body: '',
  footer: '',
  offer: '',
  buttons: [],
  cards: [],
};

/** Returns the current template of a message; a deleted one if no other exists. */
async function findTemplate(
  sql: Sql,
  accountId: number,
  phone: string,
  { name, language }: { readonly name: string; readonly language: string },
): Promise<TemplateContent | undefined> {
  const [row] = await sql<{ content: TemplateContent }[]>`
    SELECT content FROM chat_templates
    WHERE account_id = ${accountId} AND phone = ${phone} AND name = ${name} AND language = ${language}
    ORDER BY status = ${templateStatus.deleted}, id DESC LIMIT 1`;
  return row?.content;
}

/** Renders a template with its values; null: with its variables unchanged. */
export function viewOfTemplate(content: TemplateContent, values: TemplateValues | null): ChatView {
  const { footer, offer, authentication } = content;
  const words =
    authentication && content.body === ''
      ? CODE_BODY + (authentication.advice ? CODE_ADVICE : '')
      : content.body;
  const body = words.replace(
    placeholders,
    (variable, number) => values?.body[Number(number) - 1] ?? variable,
  );
  const ends = authentication?.minutes;
  return {
    ...empty,
    header: headerOf(content.header, values),
    body,
    footer: typeof ends === 'number' ? `This code expires in ${ends} minutes.` : footer,
    offer: offer?.text ?? '',
    buttons: content.buttons.map((button, index) => buttonOf(button, index, values)),
  };
}

function headerOf(header: TemplateContent['header'], values: TemplateValues | null): ChatHeaderView | null {
  const given = values?.header ?? null;
  if (header.kind === 'none') return null;
  if (header.kind === 'text') {
    const value = given?.kind === 'text' ? header.text.replace('{{1}}', () => given.text) : header.text;
    return { kind: 'text', value };
  }
  return { kind: header.kind, value: given && given.kind !== 'text' ? given.link : header.sample };
}

function buttonOf(button: TemplateButton, index: number, values: TemplateValues | null): ChatButtonView {
  const value = values?.buttons.find((one) => one.index === index);
  switch (button.kind) {
    case 'website': {
      const end = value?.kind === 'url' ? value.text : '{{1}}';
      return { kind: 'url', text: button.text, value: button.dynamic ? button.url + end : button.url };
    }
    case 'call':
      return { kind: 'call', text: button.text, value: button.number };
    case 'reply':
      return { kind: 'reply', text: button.text, value: '' };
    case 'coupon':
      return { kind: 'copy', text: COUPON_TEXT, value: value?.kind === 'coupon' ? value.code : '' };
    case 'otp':
      return { kind: 'copy', text: button.text, value: value?.kind === 'url' ? value.text : '' };
  }
}

function viewOf(content: Exclude<ChatContent, { kind: 'template' }>): ChatView {
  const { kind, body } = content;
  switch (content.kind) {
    case 'text':
      return { ...empty, kind, body };
    case 'buttons': {
      const { header, footer, action } = content;
      return { ...empty, kind, header: header && mediaOf(header), body, footer, buttons: buttonsOf(action) };
    }
    case 'carousel': {
      const cards = content.cards.map((card) => ({
        header: mediaOf(card.header),
        body: card.body,
        buttons: buttonsOf(card.action),
      }));
      return { ...empty, kind, body, cards };
    }
    case 'media': {
      const { id: mediaId, ...media } = content.media;
      return { ...empty, kind, body, media: { mediaId, ...media } };
    }
  }
}

const mediaOf = ({
  kind,
  link,
}: {
  readonly kind: 'image' | 'video' | 'document';
  readonly link: string;
}) => ({
  kind,
  value: link,
});

function buttonsOf(action: Action): ChatButtonView[] {
  if (!('external' in action))
    return action.map(({ id, title }) => ({ kind: 'reply', text: title, value: id }));
  const { title: text, external } = action;
  switch (external.kind) {
    case 'website':
      return [{ kind: 'url', text, value: external.url }];
    case 'phone':
      return [{ kind: 'call', text, value: external.number }];
    case 'email':
      return [{ kind: 'url', text, value: `mailto:${external.address}` }];
  }
}
