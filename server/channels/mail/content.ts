import { badField } from '../../kit/errors.ts';
import { type Language, languageOf } from '../../kit/text/language.ts';
import { readMailAddress } from './addresses.ts';
import {
  type Compiled,
  compileHeader,
  compileHtml,
  compileText,
  linksOf,
  uncompiled,
} from './placeholders.ts';
import { MAX_LINKS } from './signed-tokens.ts';

/** Maximum characters. Email clients show far fewer of a subject; Gmail cuts emails off at 100,000. */
export const MAX_SUBJECT = 250;
const MAX_NAME = 100;
export const MAX_HTML = 400_000;
export const MAX_TEXT = 100_000;

/** A sender, or the recipient of replies. */
interface MailParty {
  readonly name: string;
  readonly address: string;
}

/** Content that all emails of a campaign have in common, as stored. */
export interface MailContent {
  readonly from: MailParty;
  readonly replyTo: string | null;
  readonly subject: string;
  /** Null: absent; at least one of the two is present. */
  readonly html: string | null;
  readonly text: string | null;
  /** Addresses of the HTML's counted links. */
  readonly links: readonly string[];
  /** Language of appended texts. */
  readonly language: Language;
  /** Whether it goes to lists, and has an unsubscribe link. */
  readonly removable: boolean;
  /** For a reply: the Message-ID of the answered email. */
  readonly inReplyTo?: string;
  /** Whether placeholders are not replaced: in replies, and in emails that earlier versions stored. */
  readonly literal: boolean;
  /** Whether the content was removed (retention/), except for the sender. */
  readonly isRemoved?: true;
}

/** The rest of a removed content. */
export const removedContent = (address: string): MailContent => ({
  from: { name: '', address },
  replyTo: null,
  subject: '',
  html: null,
  text: '',
  links: [],
  language: 'en',
  removable: false,
  literal: true,
  isRemoved: true,
});

/** Input of an account. */
export interface ContentInput {
  readonly from: MailParty;
  readonly replyTo?: string | null | undefined;
  readonly subject: string;
  readonly html?: string | null | undefined;
  readonly text?: string | null | undefined;
}

/** Name of the extra field `{{unsubscribe}}`, the address of the unsubscribe page. */
export const UNSUBSCRIBE = 'unsubscribe';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Checks content from an account. Throws Refusal `bad-field` that names the field. */
export function readContent(input: ContentInput, removable: boolean): MailContent {
  const html = input.html || null;
  const text = input.text || null;
  if (html === null && text === null) throw badField('text', 'there is neither html nor text', 'no-content');
  if ((html?.length ?? 0) > MAX_HTML)
    throw badField('html', `is over ${MAX_HTML} characters`, 'too-long', { max: MAX_HTML });
  if ((text?.length ?? 0) > MAX_TEXT)
    throw badField('text', `is over ${MAX_TEXT} characters`, 'too-long', { max: MAX_TEXT });
  const links = html === null ? [] : linksOf(html);
  if (links.length > MAX_LINKS)
    throw badField('html', `has over ${MAX_LINKS} links`, 'too-many-links', { max: MAX_LINKS });
  return {
    from: {
      name: readLine('from.name', input.from.name, MAX_NAME),
      address: readAddress('from.address', input.from.address),
    },
    replyTo: input.replyTo ? readAddress('reply_to', input.replyTo) : null,
    subject: readLine('subject', input.subject, MAX_SUBJECT, true),
    html,
    text,
    links,
    language: languageOf(`${input.subject} ${text ?? (html ?? '').replace(/<[^<>]*>/g, ' ')}`),
    removable,
    literal: false,
  };
}

function readLine(field: string, given: string, most: number, required = false): string {
  const line = given.trim();
  if (required && line === '') throw badField(field, 'is empty', 'missing');
  if (line.length > most) throw badField(field, `is over ${most} characters`, 'too-long', { max: most });
  if (control.test(line))
    throw badField(field, 'has a line break or another control character', 'not-one-line');
  return line;
}

function readAddress(field: string, given: string): string {
  const address = readMailAddress(given);
  if (!address) throw badField(field, 'is not an e-mail address', 'not-an-address');
  return address.address;
}

/** The content of a campaign, compiled once for all its emails. */
export interface CompiledContent {
  readonly content: MailContent;
  readonly subject: Compiled;
  readonly html: Compiled | null;
  readonly text: Compiled | null;
  /** Names of its fields, in lower case. */
  readonly fields: ReadonlySet<string>;
  /** Whether the HTML, and the text, contain the unsubscribe link themselves. */
  readonly htmlHasRemoval: boolean;
  readonly textHasRemoval: boolean;
}

export function compileContent(content: MailContent): CompiledContent {
  const { literal } = content;
  const subject = literal ? uncompiled(content.subject) : compileHeader(content.subject);
  const html =
    content.html === null
      ? null
      : literal
        ? uncompiled(content.html)
        : compileHtml(content.html, content.links);
  const text = content.text === null ? null : literal ? uncompiled(content.text) : compileText(content.text);
  return {
    content,
    subject,
    html,
    text,
    fields: new Set([...subject.fields, ...(html?.fields ?? []), ...(text?.fields ?? [])]),
    htmlHasRemoval: html?.fields.has(UNSUBSCRIBE) ?? false,
    textHasRemoval: text?.fields.has(UNSUBSCRIBE) ?? false,
  };
}
