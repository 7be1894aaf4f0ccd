import { badField } from '../../kit/errors.ts';
import type { MediaCheck } from '../../kit/http/media-check.ts';
import type { NumberReader } from '../../kit/numbers/phone-numbers.ts';
import type {
  ActionInput,
  ButtonsInput,
  CardInput,
  CarouselInput,
} from '../../modules/conversations/reply-channel.ts';
import { type External, readExternal } from '../../protocols/chat-platform/external.ts';
import type {
  ButtonsMessage,
  CarouselCard,
  CarouselMessage,
  ReplyButton,
} from '../../protocols/chat-platform/messages.ts';
import { firstRepeated, firstUnlike, hasEmoji, hasTooManyLines, MAX_LINE_BREAKS } from './free-form-rules.ts';
import { buttonMedia, cardMedia, checkedMedia } from './media-rules.ts';

/* Converts messages with buttons and carousels from input to the platform's form. Lengths are checked before. */

interface FreeFormDeps {
  readonly media: MediaCheck;
  readonly numbers: NumberReader;
}

type Unaddressed<M> = Omit<M, 'to' | 'reference' | 'replyTo'>;

/** Reads a message with buttons. Throws Refusal with the first problem in the order header, texts, buttons. */
export async function readButtons(
  { header, body, footer, ...action }: ButtonsInput,
  { media, numbers }: FreeFormDeps,
): Promise<Unaddressed<ButtonsMessage>> {
  if (header) {
    const wanted = { extensions: { [header.kind]: buttonMedia[header.kind] }, httpsOnly: true };
    await checkedMedia(media, header.link, wanted, 'header.link');
  }
  checkWritten(body, 'body');
  return { kind: 'buttons', header, body, footer, action: readAction(action, '', numbers) };
}

/**
 * Reads a carousel; the links of its cards are checked in parallel. Throws Refusal unless all cards have the same kind
 * of media and buttons, and all or none have a text.
 */
export async function readCarousel(
  { body, cards }: CarouselInput,
  { media, numbers }: FreeFormDeps,
): Promise<Unaddressed<CarouselMessage>> {
  checkWritten(body, 'body');
  const headers = await readMedia(cards, media);
  const actions = cards.map((card, index) => readAction(card, `cards[${index}].`, numbers));
  const long = cards.findIndex((card) => hasTooManyLines(card.body));
  if (long >= 0) {
    const max = MAX_LINE_BREAKS;
    throw badField(`cards[${long}].body`, `over ${max} line breaks`, 'too-many-lines', { max: max + 1 });
  }
  const lacks = firstUnlike(cards, (card, first) => (card.body.trim() === '') === (first.body.trim() === ''));
  if (lacks >= 0) {
    const at = cards[0]!.body.trim() === '' ? 0 : lacks;
    throw badField(`cards[${at}].body`, 'missing, though another card has a text', 'text-of-all-cards');
  }
  const other = firstUnlike(cards, (card, first) => kindOf(card) === kindOf(first));
  if (other >= 0) {
    const field = cards[other]!.opens ? 'opens' : 'replies';
    throw badField(`cards[${other}].${field}`, 'has other buttons than card 1', 'buttons-alike');
  }
  return {
    kind: 'carousel',
    body,
    cards: cards.map((card, index) => ({
      header: headers[index]!,
      body: card.body.trim() === '' ? '' : card.body,
      action: actions[index]!,
    })),
  };
}

/** Returns the kind of a card's buttons: external, or the number of replies. */
const kindOf = ({ opens, replies }: ActionInput) => (opens ? 'opens' : replies.length);

function checkWritten(text: string, path: string): void {
  if (text.trim() === '') throw badField(path, 'missing', 'missing');
}

async function readMedia(cards: readonly CardInput[], media: MediaCheck): Promise<CarouselCard['header'][]> {
  const looks = await Promise.allSettled(
    cards.map((card, index) => checkedMedia(media, card.media.trim(), cardMedia, `cards[${index}].media`)),
  );
  const kinds = looks.map((look) => {
    if (look.status === 'rejected') throw look.reason;
    return look.value;
  });
  const other = firstUnlike(kinds, (kind, first) => kind === first);
  if (other >= 0)
    throw badField(`cards[${other}].media`, 'is of another kind than that of card 1', 'media-alike');
  return cards.map((card) => ({ kind: kinds[0] as 'image' | 'video', link: card.media.trim() }));
}

/** Reads the buttons of a message or card; `prefix` precedes the paths of their fields. */
function readAction(
  { replies, opens }: ActionInput,
  prefix: string,
  numbers: NumberReader,
): ButtonsMessage['action'] {
  if (replies.length > 0 === (opens !== null)) {
    throw badField(`${prefix}replies`, 'give replies, or opens: one of them', 'replies-or-opens');
  }
  if (opens) {
    checkWritten(opens.text, `${prefix}opens.text`);
    if (hasEmoji(opens.text)) throw badField(`${prefix}opens.text`, 'must have no emoji', 'no-emoji');
    return { title: opens.text, external: readTarget(opens.target, `${prefix}opens.target`, numbers) };
  }
  const read = replies.map(({ text, id = '' }, index): ReplyButton => {
    checkWritten(text, `${prefix}replies[${index}].text`);
    return { id: id.trim() === '' ? String(index + 1) : id, title: text };
  });
  for (const [field, key] of [
    ['text', 'title'],
    ['id', 'id'],
  ] as const) {
    const same = firstRepeated(read.map((reply) => reply[key]));
    if (same >= 0) {
      throw badField(`${prefix}replies[${same}].${field}`, 'is the same as of another button', 'same-button');
    }
  }
  return read;
}

/**
 * Returns the target of an external button from its text; a phone number becomes international. Returns null for an
 * invalid text.
 */
export function targetOf(text: string, numbers: NumberReader): External | null {
  const external = readExternal(text);
  if (external?.kind !== 'phone') return external;
  // Numbers that work only in the home country, such as service numbers, stay unchanged.
  return { kind: 'phone', number: numbers.parse(text)?.digits ?? external.number };
}

function readTarget(text: string, path: string, numbers: NumberReader): External {
  const external = targetOf(text, numbers);
  if (external) return external;
  throw badField(path, 'must be an https address, a phone number or an e-mail address', 'no-target');
}
