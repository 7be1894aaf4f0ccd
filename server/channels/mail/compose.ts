import type { SendMailOptions } from 'nodemailer';
import type { OutgoingMessage } from '../../carriers/carrier.ts';
import type { ReadMail } from '../../carriers/smtp/connector.ts';
import type { Context } from '../../context.ts';
import { numbers } from '../../database/arrays.ts';
import { status } from '../../statuses.ts';
import { escapeHtml } from '../../text/html.ts';
import type { Language } from '../../text/language.ts';
import { WriteBehind } from '../../write-behind.ts';
import { type CompiledContent, UNSUBSCRIBE } from './content.ts';
import type { Contents } from './contents.ts';
import { type MailText, valueIn } from './mail-text.ts';
import { write } from './placeholders.ts';
import type { MailRemovals } from './removal.ts';
import { type SignedTokens, tokenFor } from './signed-tokens.ts';
import type { UserStatus } from './statuses.ts';

/** Users are looked at together that come within this time: one statement for all of them. */
const GATHER_MS = 4;

/** Where the image and the links of mails lead, below the address of the service. */
export const OPEN_PATH = '/m/o/';
export const CLICK_PATH = '/m/c/';

const removalWords: Readonly<Record<Language, string>> = {
  he: 'להסרה מרשימת התפוצה',
  en: 'Unsubscribe',
  ar: 'إلغاء الاشتراك',
  ru: 'Отписаться от рассылки',
};

interface MailRendererDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  readonly contents: Contents;
  readonly signedTokens: SignedTokens;
  readonly removals: Pick<MailRemovals, 'linkFor' | 'headersFor'>;
  /** What links begin with, without a slash at the end. */
  readonly base: () => string;
  /** The domain of return paths; undefined: bounces go to the sender. */
  readonly bounceDomain: string | undefined;
}

interface Recipient {
  readonly status: UserStatus;
  readonly heard: boolean;
}

interface Asked {
  readonly userId: number;
  readonly resolve: (recipient: Recipient | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes mails in the moment in which they are submitted: with the fields that were taken when the campaign was made,
 * and only to those who are still active.
 */
export class MailRenderer {
  readonly #deps: MailRendererDeps;
  readonly #heard: WriteBehind<number>;
  #asked = new Map<number, Asked[]>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: MailRendererDeps) {
    this.#deps = deps;
    this.#heard = new WriteBehind({
      owner: 'users that mails went to',
      log: deps.log,
      async store(accountId, ids) {
        await deps.sql`
          UPDATE mail_users SET heard = true
          WHERE account_id = ${accountId} AND id = ANY(${numbers(ids)}::bigint[]) AND NOT heard`;
      },
    });
  }

  /** The mail of a message; withheld from who gets no mails any more. Rejects while the database is away. */
  async read(message: OutgoingMessage): Promise<ReadMail> {
    const { accountId } = message;
    const text = message.payload as MailText;
    const { userId } = text;
    const [content, recipient] = await Promise.all([
      this.#deps.contents.of(accountId, text.campaignId),
      userId === null ? null : this.#ask(accountId, userId),
    ]);
    // A user who is gone was deleted.
    if (recipient !== null && recipient?.status !== 'active') {
      return { kind: 'withheld', status: status.blockedOnRequest, code: recipient?.status ?? 'deleted' };
    }
    return {
      kind: 'mail',
      mail: this.#compose(message, text, content),
      ...(recipient?.heard === false && { taken: () => this.#heard.add(accountId, userId!) }),
    };
  }

  async stop(): Promise<void> {
    await this.#heard.stop();
  }

  #compose(
    { accountId, id: messageId, destination }: OutgoingMessage,
    { userId, campaignId, track, fields }: MailText,
    { content, subject, html, text, htmlHasRemoval, textHasRemoval }: CompiledContent,
  ): SendMailOptions {
    const { signedTokens, removals, base, bounceDomain, clock } = this.#deps;
    const { from, replyTo, language } = content;
    const token = signedTokens.write({ accountId, messageId, what: tokenFor.mail });
    const removal =
      content.removable && userId !== null
        ? removals.linkFor({ accountId, userId, address: destination, campaignId })
        : null;
    const values = (name: string) => (name === UNSUBSCRIBE ? (removal ?? '') : valueIn(fields, name));
    const linkTo = (what: number) => base() + CLICK_PATH + signedTokens.write({ accountId, messageId, what });
    const written = {
      html: html && write(html, values, track ? linkTo : null),
      text: text && write(text, values),
    };
    if (removal !== null && written.html !== null && !htmlHasRemoval) {
      const link = `<p dir="auto"><small><a href="${escapeHtml(removal)}">${removalWords[language]}</a></small></p>`;
      written.html = beforeEnd(written.html, link);
    }
    if (removal !== null && written.text !== null && !textHasRemoval) {
      written.text += `\n\n${removalWords[language]}: ${removal}\n`;
    }
    if (track && written.html !== null) {
      const image = base() + OPEN_PATH + signedTokens.write({ accountId, messageId, what: tokenFor.open });
      written.html = beforeEnd(written.html, `<img src="${escapeHtml(image)}" width="1" height="1" alt="">`);
    }
    return {
      envelope: {
        from: bounceDomain === undefined ? from.address : returnPath(token, bounceDomain),
        to: destination,
      },
      from: { name: from.name, address: from.address },
      to: { name: '', address: destination },
      subject: write(subject, values),
      // The same in every attempt, so that who has it already can tell.
      messageId: `<${token}@${bounceDomain ?? from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
      date: new Date(clock.now()),
      ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
      ...(written.html !== null && { html: written.html }),
      ...(written.text !== null && { text: written.text }),
      ...(removal !== null && { headers: { ...removals.headersFor(removal) } }),
    };
  }

  /** What is known of a user now; undefined: they are gone. */
  #ask(accountId: number, userId: number): Promise<Recipient | undefined> {
    return new Promise((resolve, reject) => {
      const asked = this.#asked.get(accountId);
      if (asked) asked.push({ userId, resolve, reject });
      else this.#asked.set(accountId, [{ userId, resolve, reject }]);
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        const groups = this.#asked;
        this.#asked = new Map();
        for (const [account, group] of groups) void this.#answer(account, group);
      }, GATHER_MS);
    });
  }

  async #answer(accountId: number, asked: readonly Asked[]): Promise<void> {
    try {
      const rows = await this.#deps.sql<(Recipient & { id: number })[]>`
        SELECT id, status, heard FROM mail_users
        WHERE account_id = ${accountId} AND id = ANY(${numbers(asked.map(({ userId }) => userId))}::bigint[])`;
      const found = new Map(rows.map((row) => [row.id, row]));
      for (const { userId, resolve } of asked) resolve(found.get(userId));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}

const PREFIX = 'b-';

/** Where what comes back of a mail is sent (VERP): an address that names the mail. */
export const returnPath = (token: string, domain: string): string => `${PREFIX}${token}@${domain}`;

/** The token in a return path of ours; undefined for another address. */
export function tokenIn(address: string): string | undefined {
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase();
  return local.startsWith(PREFIX) ? local.slice(PREFIX.length) : undefined;
}

/** Puts HTML at the end of what is shown of a mail. */
function beforeEnd(html: string, addition: string): string {
  const at = [...html.matchAll(/<\/body\b/gi)].at(-1)?.index ?? html.length;
  return html.slice(0, at) + addition + html.slice(at);
}
