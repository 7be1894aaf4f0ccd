import { escapeHtml } from '../../kit/text/html.ts';
import type { Language } from '../../kit/text/language.ts';
import { type CompiledContent, UNSUBSCRIBE } from './content.ts';
import { compileMessage, type MessageTemplate, type WrittenMessage } from './mime/message.ts';
import { type Compiled, type Own, stretchesOf, type Values } from './placeholders.ts';
import { removalFields } from './removal.ts';

const removalWords: Readonly<Record<Language, string>> = {
  he: 'להסרה מרשימת התפוצה',
  en: 'Unsubscribe',
  ar: 'إلغاء الاشتراك',
  ru: 'Отписаться от рассылки',
};

/** Values of one email of a campaign. */
export interface OwnMail {
  readonly to: string;
  /** Values of fields, without `{{unsubscribe}}`. */
  readonly values: Values;
  readonly linkTo: (index: number) => string;
  /** Address of the unsubscribe page; '' for an email without one. */
  readonly removal: string;
  /** Address of the image that counts opens. */
  readonly image: string;
  /** Address for replies, unless the content sets one; '' for the sender. */
  readonly replyTo: string;
  readonly messageId: string;
  readonly date: Date;
}

/** Kinds of emails in a campaign, which depend on settings of its lists. */
export interface MailKind {
  /** Whether the email has an unsubscribe page. */
  readonly isRemovable: boolean;
  /** Whether opens and clicks are counted. */
  readonly isTracked: boolean;
}

type Piece = string | ((mail: OwnMail) => string);

/** Target of the unsubscribe link in a preview. */
const NOWHERE = '#';

/** Renders an email with these fields for display: nothing in it is counted, and its unsubscribe link has no target. */
export function viewOfMail(
  compiled: CompiledContent,
  isToUser: boolean,
  values: Values,
): { readonly subject: string; readonly html: string | null; readonly text: string | null } {
  const { removable } = compiled.content;
  const { html, text } = templateOf(compiled, { isRemovable: removable && isToUser, isTracked: false });
  const mail = {
    to: '',
    values,
    linkTo: String,
    removal: NOWHERE,
    image: '',
    replyTo: '',
    messageId: '',
    date: new Date(0),
  };
  const written = (pieces: readonly Piece[] | null) => pieces && textOf(pieces, mail);
  return {
    subject: textOf(piecesOf(compiled.subject, false), mail),
    html: written(html),
    text: written(text),
  };
}

/** Compiles the emails of one kind of a campaign. Returns a function that writes each of them. */
export function compileMail(
  compiled: CompiledContent,
  kind: MailKind,
  boundary?: string,
): (mail: OwnMail) => WrittenMessage {
  return compileMessage(templateOf(compiled, kind), boundary);
}

function templateOf(
  { content, subject, html, text, htmlHasRemoval, textHasRemoval }: CompiledContent,
  { isRemovable, isTracked }: MailKind,
): Pick<MessageTemplate<OwnMail>, 'fields'> & Record<'text' | 'html', Piece[] | null> {
  const { from, replyTo, inReplyTo = '', language } = content;
  const removal = ({ removal }: OwnMail) => escapeHtml(removal);
  const words = removalWords[language];
  const link = ['<p dir="auto"><small><a href="', removal, `">${words}</a></small></p>`];
  const image = ['<img src="', ({ image }: OwnMail) => escapeHtml(image), '" width="1" height="1" alt="">'];
  const appended = [...(isRemovable && !htmlHasRemoval ? link : []), ...(isTracked ? image : [])];
  const lastLine = [`\n\n${words}: `, (mail: OwnMail) => mail.removal, '\n'];
  const forPrograms = isRemovable ? Object.entries(removalFields) : [];
  const subjectPieces = piecesOf(subject, false);
  return {
    fields: [
      ...forPrograms.map(([name, write]) => [name, (mail: OwnMail) => write(mail.removal)] as const),
      ['From', from],
      ['To', ({ to }) => ({ name: '', address: to })],
      ['Reply-To', replyTo === null ? (mail) => mail.replyTo : { name: '', address: replyTo }],
      // RFC 5322, 3.6.4: email clients show the reply below the answered email.
      ...(inReplyTo === ''
        ? []
        : ([
            ['In-Reply-To', inReplyTo],
            ['References', inReplyTo],
          ] as const)),
      ['Subject', (mail) => textOf(subjectPieces, mail)],
      ['Message-ID', ({ messageId }) => messageId],
      ['Date', ({ date }) => date],
    ],
    text: text && [...piecesOf(text, false), ...(isRemovable && !textHasRemoval ? lastLine : [])],
    html: html && beforeEnd(piecesOf(html, isTracked), appended),
  };
}

function piecesOf(compiled: Compiled, areLinksCounted: boolean): Piece[] {
  return stretchesOf(compiled, areLinksCounted).map((stretch) =>
    typeof stretch === 'string' ? stretch : (mail) => stretch(ownOf(mail)),
  );
}

const ownOf = ({ values, linkTo, removal }: OwnMail): Own => ({
  values: (name) => (name === UNSUBSCRIBE ? removal : values(name)),
  linkTo,
});

const textOf = (pieces: readonly Piece[], mail: OwnMail): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece(mail))).join('');

/** Inserts pieces at the end of the visible HTML. */
function beforeEnd(html: readonly Piece[], addition: readonly Piece[]): Piece[] {
  for (const [index, piece] of [...html.entries()].reverse()) {
    const at = typeof piece === 'string' ? [...piece.matchAll(/<\/body\b/gi)].at(-1)?.index : undefined;
    if (at === undefined) continue;
    const end = piece as string;
    return [...html.slice(0, index), end.slice(0, at), ...addition, end.slice(at), ...html.slice(index + 1)];
  }
  return [...html, ...addition];
}
