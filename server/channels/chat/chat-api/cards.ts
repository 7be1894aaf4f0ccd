import { z } from 'zod';
import { requestSchema } from '../../../api/openapi/json-schema.ts';
import type { JsonSchema } from '../../../api/openapi/shown.ts';
import type { MediaCheck, MediaKind } from '../../../kit/http/media-check.ts';
import type { CarouselCard, ReplyButton } from '../../../protocols/chat-platform/messages.ts';
import {
  CARDS,
  firstUnlike,
  hasTooManyLines,
  MAX_BUTTON_ID,
  MAX_BUTTON_TEXT,
  MAX_CARD_TARGET,
  MAX_CARD_TEXT,
  MAX_LINE_BREAKS,
  MAX_LINK,
} from '../free-form-rules.ts';
import { cardMedia } from '../media-rules.ts';
import { type Content, FieldProblem, fieldReader, isPresent, optionalTextUpTo, textUpTo } from './fields.ts';
import { checkMedia, readTarget } from './link-targets.ts';
import type { ChatServices } from './operation.ts';

/* The cards of a carousel: fields `card1_headerLink`, `card2_headerLink` … (interface, A5). */

/** Kinds of buttons on all cards: the field `buttons`. */
export const buttonTypes = { external: 1, oneReply: 2, twoReplies: 3 } as const;

const title = textUpTo(MAX_BUTTON_TEXT);
const id = optionalTextUpTo(MAX_BUTTON_ID);

const card = z.object({
  cardX_headerLink: textUpTo(MAX_LINK).describe(
    'Image (jpg, png up to 5 MB) or video (mp4, 3gpp up to 16 MB); the same kind on all cards.',
  ),
  cardX_body: optionalTextUpTo(MAX_CARD_TEXT)
    .refine((text = '') => !hasTooManyLines(text), `over ${MAX_LINE_BREAKS} line breaks`)
    .describe('Text with at most two line breaks; on all cards or on none.'),
  cardX_buttonExternal: textUpTo(MAX_CARD_TARGET).describe(
    'https address, phone number or email address that the button opens, with `buttons` 1.',
  ),
  cardX_buttonExternalText: title.describe('Text of the button, with `buttons` 1.'),
  cardX_button1: title.describe('Text of the first button, with `buttons` 2 or 3.'),
  cardX_button1ID: id.describe('Id of the button, `button_id` of the event when it is pressed; default `1`.'),
  cardX_button2: title.describe('Text of the second button, with `buttons` 3.'),
  cardX_button2ID: id.describe('Id of the second button, as `card1_button1ID`; default `2`.'),
});

type Field = keyof typeof card.shape;
const fields = Object.keys(card.shape) as Field[];
const nameOf = (field: string, number: number | string) => field.replace('X', String(number));

/** Returns the fields of the first two cards, and a pattern for the others, for the documentation. */
export function describeCards(): JsonSchema {
  const { properties = {} } = requestSchema(card);
  const conditional = new Set<string>(fields.filter((field) => field !== 'cardX_headerLink'));
  const named = (number: number | string) =>
    Object.fromEntries(fields.map((field) => [nameOf(field, number), properties[field]!]));
  const second = Object.fromEntries(
    Object.entries(named(2)).map(([name, field]) => [
      name,
      { ...(field as JsonSchema), description: 'Same as for card 1; cards 3 to 10 have the same fields.' },
    ]),
  );
  const patterns = named('(?:[3-9]|10)');
  return {
    properties: { ...named(1), ...second } as JsonSchema['properties'],
    patternProperties: Object.fromEntries(
      Object.entries(patterns).map(([name, field]) => [`^${name}$`, field]),
    ) as Record<string, JsonSchema>,
    required: fields
      .filter((field) => !conditional.has(field))
      .flatMap((field) => [nameOf(field, 1), nameOf(field, 2)]),
  };
}

/** Returns the numbers of the cards in a request, in order, including invalid ones. */
function numbersIn(content: Content): string[] {
  const numbers = new Set<string>();
  for (const name of Object.keys(content)) {
    const number = /^card(\d+)_/.exec(name)?.[1];
    if (
      number !== undefined &&
      fields.includes(name.replace(number, 'X') as Field) &&
      isPresent(content[name])
    ) {
      numbers.add(number);
    }
  }
  return [...numbers].sort((one, other) => Number(one) - Number(other));
}

/** Returns the fields `cardX_headerLink` and `cardX_body` of a request, to repeat them in the response. */
export function echoCards(content: Content): Record<string, string> {
  const echoes: Record<string, string> = {};
  for (let number = 1; number <= CARDS.max; number++) {
    for (const field of ['cardX_headerLink', 'cardX_body']) {
      const value = content[nameOf(field, number)];
      if (typeof value === 'string' && value !== '') echoes[nameOf(field, number)] = value;
    }
  }
  return echoes;
}

/**
 * Reads the cards, field by field over all of them, and checks their links in parallel. `buttons` is one of
 * `buttonTypes`. Throws FieldProblem for the first invalid field, `cards` for invalid numbers of cards.
 */
export async function readCards(
  content: Content,
  buttons: number,
  { media, numbers: reader }: Pick<ChatServices, 'media' | 'numbers'>,
): Promise<CarouselCard[]> {
  const numbers = numbersIn(content);
  if (numbers.some((number, index) => number !== String(index + 1))) {
    throw new FieldProblem('cards', 'cards must be numbered from 1 without gaps');
  }
  if (numbers.length < CARDS.min || numbers.length > CARDS.max) {
    throw new FieldProblem('cards', `there must be ${CARDS.min} to ${CARDS.max} cards`);
  }
  const readers = numbers.map((number) => fieldReader(card, content, (field) => nameOf(field, number)));
  const all = <F extends Field>(field: F) => readers.map((read) => read(field));
  const none = (field: Field) => {
    const number = numbers.find((each) => isPresent(content[nameOf(field, each)]));
    if (number !== undefined) {
      throw new FieldProblem(field, `${nameOf(field, number)}: is not for buttons ${buttons}`);
    }
  };

  const headers = await readHeaders(all('cardX_headerLink'), media);
  const bodies = readBodies(all('cardX_body'));
  if (buttons === buttonTypes.external) {
    const targets = all('cardX_buttonExternal').map((text, index) =>
      readTarget(reader, 'cardX_buttonExternal', text, nameOf('cardX_buttonExternal', index + 1)),
    );
    const titles = all('cardX_buttonExternalText');
    none('cardX_button1');
    none('cardX_button2');
    return headers.map((header, index) => ({
      header,
      body: bodies[index]!,
      action: { title: titles[index]!, external: targets[index]! },
    }));
  }
  none('cardX_buttonExternal');
  none('cardX_buttonExternalText');
  const firsts = all('cardX_button1');
  const firstIds = all('cardX_button1ID');
  const replies = firsts.map((text, index) => [{ id: firstIds[index] ?? '1', title: text }]);
  if (buttons === buttonTypes.twoReplies) {
    addSeconds(replies, all('cardX_button2'), all('cardX_button2ID'));
  } else none('cardX_button2');
  return headers.map((header, index) => ({ header, body: bodies[index]!, action: replies[index]! }));
}

type Header = CarouselCard['header'];

async function readHeaders(given: readonly string[], media: MediaCheck): Promise<Header[]> {
  const field = 'cardX_headerLink';
  const links = given.map((link) => link.trim());
  const looks = await Promise.allSettled(
    links.map((link, index) => checkMedia(media, link, cardMedia, field, nameOf(field, index + 1))),
  );
  const kinds = looks.map((look): MediaKind => {
    if (look.status === 'rejected') throw look.reason;
    return look.value;
  });
  const other = firstUnlike(kinds, (kind, first) => kind === first);
  if (other > 0) {
    throw new FieldProblem(field, `${nameOf(field, other + 1)}: is of another kind than that of card 1`);
  }
  return links.map((link) => ({ kind: kinds[0] as Header['kind'], link }));
}

function readBodies(given: readonly (string | undefined)[]): string[] {
  const other = firstUnlike(given, (body, first) => (body === undefined) === (first === undefined));
  if (other > 0) {
    const name = nameOf('cardX_body', given[0] === undefined ? 1 : other + 1);
    throw new FieldProblem('cardX_body', `${name}: missing, though another card has a body`);
  }
  return given.map((body) => body ?? '');
}

/** The platform refuses two buttons of a card with the same text or id. */
function addSeconds(
  replies: readonly ReplyButton[][],
  titles: readonly string[],
  ids: readonly (string | undefined)[],
): void {
  const same = (field: Field, key: keyof ReplyButton, values: readonly string[]) => {
    const index = values.findIndex((value, at) => value === replies[at]![0]![key]);
    if (index < 0) return;
    throw new FieldProblem(field, `${nameOf(field, index + 1)}: is the same as of the first button`);
  };
  const seconds = ids.map((given) => given ?? '2');
  same('cardX_button2', 'title', titles);
  same('cardX_button2ID', 'id', seconds);
  for (const [index, reply] of replies.entries()) {
    reply.push({ id: seconds[index]!, title: titles[index]! });
  }
}
