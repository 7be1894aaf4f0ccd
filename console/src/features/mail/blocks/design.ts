import type { JSONContent } from '@tiptap/react';

/*
 * An email of the block editor as stored (`blocks` of /v1/mail/templates and of drafts). Anyone with the right to send can
 * store any JSON, so readers normalize it, and render.ts escapes its texts.
 */

export const aligns = ['start', 'center', 'end'] as const;
export type Align = (typeof aligns)[number];
export type Direction = 'ltr' | 'rtl';

export interface Heading {
  readonly type: 'heading';
  readonly text: string;
  readonly level: 1 | 2 | 3;
  readonly align: Align;
}
interface RichText {
  readonly type: 'text';
  /** A document of Tiptap: paragraphs and lists, with marks. */
  readonly doc: JSONContent;
  readonly align: Align;
}
export interface Picture {
  readonly type: 'image';
  readonly url: string;
  /** Text for screen readers and for programs that do not load images. */
  readonly alt: string;
  /** Target of a click; '' for no link. */
  readonly href: string;
  /** Percent of the place that it has. */
  readonly width: number;
  readonly align: Align;
}
export interface PushButton {
  readonly type: 'button';
  readonly text: string;
  readonly url: string;
  readonly align: Align;
}
interface Divider {
  readonly type: 'divider';
}
interface Spacer {
  readonly type: 'spacer';
  /** Pixels. */
  readonly height: number;
}
export interface Footer {
  readonly type: 'footer';
  readonly text: string;
  /** The words of the link that unsubscribes. */
  readonly unsubscribe: string;
}
export interface Columns {
  readonly type: 'columns';
  readonly columns: readonly [readonly Leaf[], readonly Leaf[]];
}

/** Id of the block, unique in its email. */
interface Known {
  readonly id: string;
}
export type Leaf = Known & (Heading | RichText | Picture | PushButton | Divider | Spacer | Footer);
export type Block = Leaf | (Known & Columns);
export type Kind = Block['type'];

export interface Design {
  readonly version: 1;
  readonly direction: Direction;
  /** Colour of links and buttons, #rrggbb. */
  readonly color: string;
  readonly blocks: readonly Block[];
}

export const leafKinds = ['heading', 'text', 'image', 'button', 'divider', 'spacer', 'footer'] as const;
export const kinds = [...leafKinds, 'columns'] as const;

const MAX_SPACE = 200;
const DEFAULT_COLOR = '#0b7285';

const newId = () => Math.random().toString(36).slice(2, 12);

/** A mail without blocks. */
export const emptyDesign = (direction: Direction): Design => ({
  version: 1,
  direction,
  color: DEFAULT_COLOR,
  blocks: [],
});

/** Texts of a new footer, in the language of the email, not of the console. */
const unsubscribeWords: Readonly<Record<Direction, string>> = {
  ltr: 'Unsubscribe',
  rtl: 'להסרה מרשימת הדיוור',
};

/** A new block for a mail of this direction. */
export const newBlock = (type: Kind, direction: Direction): Block =>
  readBlock({ type, unsubscribe: unsubscribeWords[direction] }, new Set())!;

/** Width of the logo in percent of the email. */
const LOGO_WIDTH = 30;

/** Blocks with which an email of an account begins: its logo or its name, a text, and a footer with its name. */
export function brandedBlocks(
  { name, logo_url: logo }: { readonly name: string; readonly logo_url: string | null },
  direction: Direction,
): Block[] {
  const header =
    logo === null
      ? { type: 'heading', text: name, align: 'center' }
      : { type: 'image', url: logo, alt: name, width: LOGO_WIDTH, align: 'center' };
  const footer = { type: 'footer', text: name, unsubscribe: unsubscribeWords[direction] };
  return [header, { type: 'text' }, footer].map((block) => readBlock(block, new Set())!);
}

/** Copies a block under a new id; the blocks inside columns get new ids, too. */
export function copyOf<B extends Block>(block: B): B {
  if (block.type !== 'columns') return { ...block, id: newId() };
  const [first, second] = block.columns;
  return { ...block, id: newId(), columns: [first.map(copyOf), second.map(copyOf)] };
}

/** Reads a stored design: replaces missing or malformed values and drops unknown blocks. */
export function readDesign(stored: unknown): Design {
  const { direction, color, blocks } = fields(stored);
  const ids = new Set<string>();
  return {
    version: 1,
    direction: direction === 'rtl' ? 'rtl' : 'ltr',
    color: typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) ? color : DEFAULT_COLOR,
    blocks: list(blocks).flatMap((block) => readBlock(block, ids) ?? []),
  };
}

function readBlock(stored: unknown, ids: Set<string>): Block | undefined {
  const { type, columns } = fields(stored);
  if (type !== 'columns') return readLeaf(stored, ids);
  const [first, second] = list(columns);
  const leaves = (column: unknown) => list(column).flatMap((leaf) => readLeaf(leaf, ids) ?? []);
  return { id: idOf(stored, ids), type, columns: [leaves(first), leaves(second)] };
}

function readLeaf(stored: unknown, ids: Set<string>): Leaf | undefined {
  const block = fields(stored);
  const text = (name: string) => (typeof block[name] === 'string' ? block[name] : '');
  const align = aligns.find((one) => one === block.align) ?? (block.type === 'button' ? 'center' : 'start');
  const id = idOf(stored, ids);
  switch (block.type) {
    case 'heading':
      return { id, type: 'heading', text: text('text'), level: headingLevel(block.level), align };
    case 'text':
      return { id, type: 'text', doc: readDoc(block.doc), align };
    case 'image': {
      const width = within(block.width, 10, 100, 100);
      return { id, type: 'image', url: text('url'), alt: text('alt'), href: text('href'), width, align };
    }
    case 'button':
      return { id, type: 'button', text: text('text'), url: text('url'), align };
    case 'divider':
      return { id, type: 'divider' };
    case 'spacer':
      return { id, type: 'spacer', height: within(block.height, 4, MAX_SPACE, 24) };
    case 'footer':
      return { id, type: 'footer', text: text('text'), unsubscribe: text('unsubscribe') };
    default:
      return undefined;
  }
}

/** Maximum nesting of lists. */
const MAX_DEPTH = 8;

/** A document with what the editor knows, at least an empty paragraph: others, Tiptap does not open. */
export function readDoc(stored: unknown): JSONContent {
  const content = readNodes(fields(stored).content, 0);
  return { type: 'doc', content: content.length > 0 ? content : [{ type: 'paragraph' }] };
}

function readNodes(stored: unknown, depth: number): JSONContent[] {
  return list(stored).flatMap((node): JSONContent | [] => {
    const { type, content } = fields(node);
    if (type === 'paragraph') {
      const words = readWords(content);
      return words.length > 0 ? { type, content: words } : { type };
    }
    if ((type !== 'bulletList' && type !== 'orderedList') || depth === MAX_DEPTH) return [];
    const items = list(content).map((item): JSONContent => {
      const inner = readNodes(fields(item).content, depth + 1);
      const begins = inner[0]?.type === 'paragraph';
      return { type: 'listItem', content: begins ? inner : [{ type: 'paragraph' }, ...inner] };
    });
    return items.length > 0 ? { type, content: items } : [];
  });
}

function readWords(stored: unknown): JSONContent[] {
  return list(stored).flatMap((node): JSONContent | [] => {
    const { type, text, marks } = fields(node);
    if (type === 'hardBreak') return { type };
    if (type !== 'text' || typeof text !== 'string' || text === '') return [];
    const known = list(marks).flatMap((mark): NonNullable<JSONContent['marks']> => {
      const { type: kind, attrs } = fields(mark);
      const { href } = fields(attrs);
      if (kind === 'bold' || kind === 'italic') return [{ type: kind }];
      return kind === 'link' && typeof href === 'string' ? [{ type: kind, attrs: { href } }] : [];
    });
    return known.length > 0 ? { type, text, marks: known } : { type, text };
  });
}

/** The stored id; a new one when it is missing or already used by another block. */
function idOf(stored: unknown, ids: Set<string>): string {
  const { id } = fields(stored);
  const own = typeof id === 'string' && id !== '' && !ids.has(id) ? id : newId();
  ids.add(own);
  return own;
}

const headingLevel = (given: unknown) => (given === 2 || given === 3 ? given : 1);
const within = (given: unknown, least: number, most: number, usual: number) =>
  typeof given === 'number' && Number.isFinite(given) ? Math.min(most, Math.max(least, given)) : usual;
const fields = (given: unknown): Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)
    ? (given as Record<string, unknown>)
    : {};
const list = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : []);
