import type { Answer, RequestBody } from '../../api/operations.ts';
import {
  type Actions,
  emptyCard,
  noActions,
  noButtons,
  noCarousel,
} from '../../features/composing/free-form.ts';
import { noValues } from '../../features/composing/template-values.ts';
import { type HoursChoice, noHours, readHours } from './hours-choice.ts';
import { nobody, recipientsOf } from './recipients.ts';

export const chatKinds = ['template', 'buttons', 'carousel'] as const;
type ChatKind = (typeof chatKinds)[number];

type ChatView = NonNullable<Answer<'/v1/messages/{id}/content'>['chat']>;

/** Mapping of a send to many without any fields. */
export const noMapping = { variables: noValues.variables, websites: noValues.websites };

/** Values of the chat composer for all kinds of content, including hidden ones. */
export const emptyChat = {
  kind: 'template' as ChatKind,
  /** '' is the first number of the account. */
  number: '',
  templateId: '',
  /** Buttons and carousels go to one number: to what was typed. */
  recipients: nobody,
  values: noValues,
  /** Fields of the lists for a send to many, kept separately from the values typed for one recipient. */
  mapped: noMapping,
  name: '',
  /** '' is now, else ISO 8601. */
  at: '',
  hours: noHours as HoursChoice,
  buttons: noButtons,
  carousel: noCarousel,
};
export type ChatDraft = typeof emptyChat;

/** A campaign or a message that was sent before, or a kind and a recipient to begin with. */
type Before = Partial<RequestBody<'/v1/chat/campaigns'>> & {
  readonly kind?: string;
  /** A message as its recipient sees it. */
  readonly chat?: ChatView;
};

/** Values of the composer for a request that was sent before. */
export function readChat(request: Before): Partial<ChatDraft> {
  const { fields = {}, website_field, website_field2, kind, chat } = request;
  const field = (number: number | undefined) => (number === undefined ? '' : String(number));
  return {
    number: request.source ?? '',
    templateId: request.template_id ?? '',
    recipients: recipientsOf(request.phones, request.lists),
    values: {
      ...noValues,
      header: request.header_link ?? '',
      coupon: request.coupon_code ?? '',
      couponEnds: request.coupon_expires_at ?? '',
    },
    mapped: {
      variables: Object.fromEntries(
        Object.entries(fields).map(([variable, name]) => [variable, String(name).replace('df', '')]),
      ),
      websites: [field(website_field), field(website_field2)],
    },
    name: request.name ?? '',
    hours: readHours(request),
    ...((kind === 'buttons' || kind === 'carousel') && { kind }),
    ...(chat && readMessage(chat)),
  };
}

/** The buttons or the carousel that a message was. */
function readMessage({ kind, header, body, footer, buttons, cards }: ChatView): Partial<ChatDraft> {
  if (kind === 'carousel') {
    const read = cards.map((card) => ({
      ...emptyCard,
      ...actionsOf(card.buttons),
      media: card.header.value,
      body: card.body,
    }));
    return { kind, carousel: { body, ...kindOf(cards[0]!.buttons), cards: read } };
  }
  if (kind !== 'buttons') return {};
  const media =
    header && header.kind !== 'text' ? { kind: header.kind, link: header.value } : noButtons.header;
  return {
    kind,
    buttons: { header: media, body, footer, ...kindOf(buttons), ...actionsOf(buttons) },
  };
}

type Shown = ChatView['buttons'];

const kindOf = (buttons: Shown) => {
  const opening = buttons[0]?.kind !== 'reply';
  return { opening, count: Math.max(1, buttons.length) };
};

function actionsOf(buttons: Shown): Actions {
  const [first] = buttons;
  if (first && first.kind !== 'reply') {
    return { ...noActions, opens: { text: first.text, target: first.value.replace(/^mailto:/, '') } };
  }
  const replies = buttons.map(({ text, value }) => ({ text, id: value }));
  return { ...noActions, replies: [...replies, ...noActions.replies.slice(replies.length)] };
}
