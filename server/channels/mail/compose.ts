import { LRUCache } from 'lru-cache';
import { numbers } from '../../database/arrays.ts';
import type { OutgoingMessage } from '../../engine/carriers/carrier.ts';
import { BatchedLookup } from '../../kit/batched-lookup.ts';
import type { Context } from '../../kit/context.ts';
import { status } from '../../kit/statuses.ts';
import { WriteBehind } from '../../kit/write-behind.ts';
import type { ReadMail } from '../../protocols/smtp/connector.ts';
import type { OutgoingMail } from '../../protocols/smtp/mail.ts';
import type { CompiledContent } from './content.ts';
import type { Contents } from './contents.ts';
import { replyAddress } from './incoming-mails.ts';
import { compileMail, type MailKind, type OwnMail } from './mail-template.ts';
import { type MailText, valueIn } from './mail-text.ts';
import { envelopeOf, type WrittenMessage } from './mime/message.ts';
import type { MailRemovals } from './removal.ts';
import { type SignedTokens, tokenFor } from './signed-tokens.ts';
import type { UserStatus } from './statuses.ts';

/** Milliseconds for which user look-ups are collected into one statement. */
const GATHER_MS = 4;

/** Paths of the images and links of emails, below the address of the service. */
export const OPEN_PATH = '/m/o/';
export const CLICK_PATH = '/m/c/';

/** Number of compiled email templates in memory: a few megabytes each at most. */
const KEPT = 16;

interface MailRendererDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  readonly contents: Contents;
  readonly signedTokens: SignedTokens;
  readonly removals: Pick<MailRemovals, 'linkFor'>;
  /** Beginning of links, without a slash at the end. */
  readonly base: () => string;
  /** The domain of return paths; undefined: bounces go to the sender. */
  readonly bounceDomain: string | undefined;
  /** The domain of inbound addresses; undefined: replies go to the sender. */
  readonly inboundDomain: string | undefined;
  /** Sender of the service's own emails. */
  readonly from: string;
}

interface Recipient {
  readonly status: UserStatus;
  readonly heard: boolean;
}

/** A user whose state is read. */
interface Asked {
  readonly accountId: number;
  readonly userId: number;
}

/**
 * Renders emails at the moment of submission: with the fields stored when the campaign created the email, and only for
 * users who are still active.
 */
export class MailRenderer {
  readonly #deps: MailRendererDeps;
  readonly #heard: WriteBehind<number>;
  readonly #writers = new LRUCache<string, (mail: OwnMail) => WrittenMessage>({ max: KEPT });
  readonly #recipients = new BatchedLookup({
    read: (asked: readonly Asked[]) => this.#readRecipients(asked),
    gatherMs: GATHER_MS,
  });

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

  /**
   * Returns the email of a message; withheld if the user no longer receives emails. Rejects while the database is
   * unavailable.
   */
  async read(message: OutgoingMessage): Promise<ReadMail> {
    const { accountId } = message;
    const text = message.payload as MailText;
    const { userId } = text;
    const [content, recipient] = await Promise.all([
      this.#deps.contents.of(accountId, text.campaignId),
      userId === null ? null : this.#recipients.get({ accountId, userId }),
    ]);
    // A missing user was deleted.
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
    compiled: CompiledContent,
  ): OutgoingMail {
    const { signedTokens, removals, base, bounceDomain, inboundDomain, clock } = this.#deps;
    const { from: ownAddress } = this.#deps;
    const { from, removable } = compiled.content;
    const token = (what: number) => signedTokens.write({ accountId, messageId, what });
    const own = token(tokenFor.mail);
    const kind = { isRemovable: removable && userId !== null, isTracked: track };
    const write = this.#writerOf(`${accountId}/${campaignId}`, compiled, kind);
    return {
      ...write({
        to: destination,
        values: (name) => valueIn(fields, name),
        linkTo: (index) => base() + CLICK_PATH + token(index),
        removal: kind.isRemovable
          ? removals.linkFor({ accountId, userId: userId!, address: destination, campaignId })
          : '',
        image: track ? base() + OPEN_PATH + token(tokenFor.open) : '',
        // Nobody reads replies to the service's own emails.
        replyTo:
          inboundDomain === undefined || from.address === ownAddress
            ? ''
            : replyAddress(token(tokenFor.reply), inboundDomain),
        // The same in every attempt, so that the receiver can detect duplicates.
        messageId: `<${own}@${bounceDomain ?? from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
        date: new Date(clock.now()),
      }),
      envelope: envelopeOf(
        bounceDomain === undefined ? from.address : returnPath(own, bounceDomain),
        destination,
      ),
    };
  }

  /**
   * Returns the compiled template for emails of this kind of a campaign. The most recently used ones stay in memory.
   */
  #writerOf(campaign: string, compiled: CompiledContent, kind: MailKind) {
    const key = `${campaign}/${kind.isRemovable}/${kind.isTracked}`;
    const writer = this.#writers.get(key) ?? compileMail(compiled, kind);
    this.#writers.set(key, writer);
    return writer;
  }

  /** Reads the current states of users, without deleted ones. */
  async #readRecipients(asked: readonly Asked[]): Promise<Map<Asked, Recipient>> {
    const recipients = new Map<Asked, Recipient>();
    const readOf = async (accountId: number, users: readonly Asked[]) => {
      const rows = await this.#deps.sql<(Recipient & { id: number })[]>`
        SELECT id, status, heard FROM mail_users
        WHERE account_id = ${accountId} AND id = ANY(${numbers(users.map(({ userId }) => userId))}::bigint[])`;
      const found = new Map(rows.map((row) => [row.id, row]));
      for (const one of users) {
        const recipient = found.get(one.userId);
        if (recipient) recipients.set(one, recipient);
      }
    };
    const byAccount = Map.groupBy(asked, ({ accountId }) => accountId);
    await Promise.all([...byAccount].map(([accountId, users]) => readOf(accountId, users)));
    return recipients;
  }
}

const PREFIX = 'b-';

/** Returns the return path of an email (VERP): an address that identifies the email. */
export const returnPath = (token: string, domain: string): string => `${PREFIX}${token}@${domain}`;

/** Returns the token in one of our return paths; undefined for other addresses. */
export function tokenIn(address: string): string | undefined {
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase();
  return local.startsWith(PREFIX) ? local.slice(PREFIX.length) : undefined;
}
