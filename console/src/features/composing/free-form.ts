import {
  CARDS,
  hasEmoji,
  hasTooManyLines,
  MAX_BUTTON_ID,
  MAX_BUTTON_TEXT,
  MAX_CARD_REPLIES,
  MAX_CARD_TARGET,
  MAX_CARD_TEXT,
  MAX_FOOTER,
  MAX_LINE_BREAKS,
  MAX_LINK,
  MAX_REPLIES,
  MAX_TARGET,
  MAX_TEXT,
} from '../../../../server/channels/chat/free-form-rules.ts';
import { readExternal } from '../../../../server/protocols/chat-platform/external.ts';
import type { RequestBody } from '../../api/operations.ts';
import type { ChatButton, ChatContent } from '../../api/sandbox-phone.ts';
import type { Dictionary } from '../../i18n/en.ts';

/* Messages with buttons and carousels as they are composed. Problems and limits go by the paths of the service's fields. */

/** Replies, or a button that opens a link or calls a number; switching between the two keeps both. */
export interface Actions {
  readonly replies: readonly { readonly text: string; readonly id: string }[];
  readonly opens: { readonly text: string; readonly target: string };
}

/** Which of `Actions` it is, and how many replies: of a carousel the same for all cards. */
interface ActionKind {
  readonly opening: boolean;
  readonly count: number;
}

export interface ButtonsDraft extends Actions, ActionKind {
  readonly header: { readonly kind: 'none' | 'image' | 'video' | 'document'; readonly link: string };
  readonly body: string;
  readonly footer: string;
}

export interface CardDraft extends Actions {
  readonly media: string;
  readonly body: string;
}

export interface CarouselDraft extends ActionKind {
  readonly body: string;
  readonly cards: readonly CardDraft[];
}

export { CARDS, MAX_CARD_REPLIES, MAX_REPLIES };

const noReply = { text: '', id: '' };
export const noActions: Actions = {
  replies: Array.from({ length: MAX_REPLIES }, () => noReply),
  opens: { text: '', target: '' },
};
export const noButtons: ButtonsDraft = {
  ...noActions,
  opening: false,
  count: 1,
  header: { kind: 'none', link: '' },
  body: '',
  footer: '',
};
export const emptyCard: CardDraft = { ...noActions, media: '', body: '' };
export const noCarousel: CarouselDraft = {
  body: '',
  opening: false,
  count: 1,
  cards: [emptyCard, emptyCard],
};

/** Problems by the path of their field; undefined for valid fields. */
export type Problems = Readonly<Record<string, string | undefined>>;

type Texts = Pick<Dictionary, 'common' | 'send'>;

/** Problem of a text: missing or too long. */
function textProblem({ common }: Texts, text: string, max: number, isRequired = true): string | undefined {
  const { reasons } = common.errors;
  if (isRequired && text.trim() === '') return reasons.missing!({});
  return text.length > max ? reasons['too-long']!({ max }) : undefined;
}

/** Problems of the buttons of a message or card; their paths begin with `prefix`. */
function actionProblems(
  texts: Texts,
  { replies, opens }: Actions,
  { opening, count }: ActionKind,
  prefix: string,
  maxTarget: number,
): Problems {
  const { reasons } = texts.common.errors;
  if (opening) {
    const isTarget = readExternal(opens.target) !== null;
    return {
      [`${prefix}opens.text`]:
        textProblem(texts, opens.text, MAX_BUTTON_TEXT) ??
        (hasEmoji(opens.text) ? reasons['no-emoji']!({}) : undefined),
      [`${prefix}opens.target`]:
        textProblem(texts, opens.target, maxTarget) ?? (isTarget ? undefined : reasons['no-target']!({})),
    };
  }
  const problems: Record<string, string | undefined> = {};
  const shown = replies.slice(0, count);
  for (const [index, { text, id }] of shown.entries()) {
    const before = shown.slice(0, index);
    const same = (is: boolean) => (is ? reasons['same-button']!({}) : undefined);
    const idOf = (reply: { readonly id: string }, at: number) => reply.id.trim() || String(at + 1);
    problems[`${prefix}replies[${index}].text`] =
      textProblem(texts, text, MAX_BUTTON_TEXT) ?? same(before.some((other) => other.text === text));
    problems[`${prefix}replies[${index}].id`] =
      textProblem(texts, id, MAX_BUTTON_ID, false) ??
      same(before.some((other, at) => idOf(other, at) === idOf({ id }, index)));
  }
  return problems;
}

export function buttonsProblems(texts: Texts, draft: ButtonsDraft): Problems {
  const { header, body, footer } = draft;
  const { reasons } = texts.common.errors;
  const isHttps = /^https:\/\/./i.test(header.link.trim());
  return {
    'header.link':
      header.kind === 'none'
        ? undefined
        : (textProblem(texts, header.link, MAX_LINK) ??
          (isHttps ? undefined : reasons['media-address']!({}))),
    body: textProblem(texts, body, MAX_TEXT),
    footer: textProblem(texts, footer, MAX_FOOTER, false),
    ...actionProblems(texts, draft, draft, '', MAX_TARGET),
  };
}

export function carouselProblems(texts: Texts, draft: CarouselDraft): Problems {
  const { reasons } = texts.common.errors;
  const withText = draft.cards.some(({ body }) => body.trim() !== '');
  return Object.assign(
    { body: textProblem(texts, draft.body, MAX_TEXT) },
    ...draft.cards.map(({ media, body, ...actions }, index) => {
      const path = `cards[${index}].`;
      const isLink = /^https?:\/\/./i.test(media.trim());
      const lines = hasTooManyLines(body)
        ? reasons['too-many-lines']!({ max: MAX_LINE_BREAKS + 1 })
        : undefined;
      const lacks = withText && body.trim() === '' ? reasons['text-of-all-cards']!({}) : undefined;
      return {
        [`${path}media`]:
          textProblem(texts, media, MAX_LINK) ?? (isLink ? undefined : reasons['media-address']!({})),
        [`${path}body`]: textProblem(texts, body, MAX_CARD_TEXT, false) ?? lines ?? lacks,
        ...actionProblems(texts, actions, draft, path, MAX_CARD_TARGET),
      };
    }),
  ) as Problems;
}

/** The most characters of the field at a path. */
export function limitOf(path: string): number {
  const name = path.replace(/^cards\[\d+\]\./, '');
  const isCard = name !== path;
  if (name === 'body') return isCard ? MAX_CARD_TEXT : MAX_TEXT;
  if (name === 'opens.target') return isCard ? MAX_CARD_TARGET : MAX_TARGET;
  if (name === 'footer') return MAX_FOOTER;
  if (name.endsWith('.id')) return MAX_BUTTON_ID;
  return name.endsWith('.text') ? MAX_BUTTON_TEXT : MAX_LINK;
}

/** The buttons as a request has them. */
function actionBody({ replies, opens }: Actions, { opening, count }: ActionKind) {
  if (opening) return { replies: [], opens: { text: opens.text, target: opens.target.trim() } };
  return {
    replies: replies
      .slice(0, count)
      .map(({ text, id }) => ({ text, ...(id.trim() !== '' && { id: id.trim() }) })),
    opens: null,
  };
}

export const buttonsBody = (draft: ButtonsDraft) => ({
  header: draft.header.kind === 'none' ? null : { kind: draft.header.kind, link: draft.header.link.trim() },
  body: draft.body,
  footer: draft.footer,
  ...actionBody(draft, draft),
});
export const carouselBody = (draft: CarouselDraft) => ({
  body: draft.body,
  cards: draft.cards.map((card) => ({
    media: card.media.trim(),
    body: card.body,
    ...actionBody(card, draft),
  })),
});

export type ButtonsRequest = RequestBody<'/v1/chat/buttons'>;
export type CarouselRequest = RequestBody<'/v1/chat/carousels'>;

/** Buttons of the phone preview; buttons without a text are left out. */
function shownButtons({ replies, opens }: Actions, { opening, count }: ActionKind): ChatButton[] {
  if (!opening) {
    return replies
      .slice(0, count)
      .filter(({ text }) => text.trim() !== '')
      .map(({ text }, index) => ({ type: 'reply', id: String(index), text }));
  }
  const { text, target } = opens;
  if (text.trim() === '') return [];
  return readExternal(target)?.kind === 'phone'
    ? [{ type: 'call', text, number: target }]
    : [{ type: 'url', text, url: target }];
}

export const shownMessage = (draft: ButtonsDraft): ChatContent => ({
  header:
    draft.header.kind === 'none' || draft.header.link.trim() === ''
      ? null
      : { type: draft.header.kind, link: draft.header.link.trim() },
  body: draft.body,
  footer: draft.footer,
  buttons: shownButtons(draft, draft),
  cards: [],
});

const video = /\.(mp4|3gpp?)([?#]|$)/i;

export const shownCarousel = (draft: CarouselDraft): ChatContent => ({
  header: null,
  body: draft.body,
  footer: '',
  buttons: [],
  cards: draft.cards.map((card) => ({
    header: { type: video.test(card.media) ? 'video' : 'image', link: card.media.trim() },
    body: card.body,
    buttons: shownButtons(card, draft),
  })),
});
