import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import { inStatements, numbers, texts } from '../../database/arrays.ts';
import type { Queryable, Sql, TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { firstOfEach } from '../../kit/first-of-each.ts';
import { TimeSlice } from '../../kit/time-slices.ts';
import { installationKey } from '../../secrets/installation-keys.ts';
import { type ChainedRow, digestOf, GENESIS } from './chain.ts';

const DIGESTS = 'consents';
const SIGNATURES = 'consent-signatures';
/** Rows of one statement. */
const ROWS_AT_ONCE = 1_000;
/** DER of an Ed25519 private key (RFC 8410) before its 32 bytes. */
const ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

export const consentChannels = ['sms', 'voice', 'chat', 'mail', 'any'] as const;
export type ConsentChannel = (typeof consentChannels)[number];
export const consentActions = ['given', 'withdrawn'] as const;
export type ConsentAction = (typeof consentActions)[number];
/**
 * How it was said: by a program, an import, a form, a word in a message, a link in one, a mail service, the platform, an
 * agent.
 */
export const consentSources = [
  'api',
  'import',
  'form',
  'keyword',
  'removal-link',
  'unsubscribe-link',
  'confirmation-link',
  'complaint',
  'chat-platform',
  'agent',
] as const;
export type ConsentSource = (typeof consentSources)[number];

/** What shows that it was said. */
export interface ConsentEvidence {
  /** The form and its version, with the text that was agreed to. */
  readonly form?: string | undefined;
  readonly version?: string | undefined;
  readonly text?: string | undefined;
  readonly language?: string | undefined;
  /** The address of the network that it came from. */
  readonly ip?: string | undefined;
  /** The page, without what follows `?` and `#`. */
  readonly url?: string | undefined;
  /** The file of an import. */
  readonly file?: string | undefined;
  /** Who recorded it: a user name. */
  readonly recordedBy?: string | undefined;
}

/** Something that somebody agreed to, or withdrew. */
export interface ConsentInput {
  /** E.164 digits, or an address in the form in which they are compared. */
  readonly subject: string;
  readonly channel: ConsentChannel;
  readonly purpose: string;
  readonly action: ConsentAction;
  /** When it was said, milliseconds since the epoch; now without it. */
  readonly at?: number | undefined;
  readonly source: ConsentSource;
  readonly evidence?: ConsentEvidence;
}

/** A row of the log. */
export interface Consent extends ChainedRow {
  /** Null: it was erased. */
  readonly subject: string | null;
  /** Hexadecimal, as `digest`. */
  readonly previous: string;
  readonly digest: string;
}

/** What a check of the chain found. */
export interface ChainCheck {
  readonly checked: number;
  /** The first row that is not as it was written, or null. */
  readonly brokenAt: number | null;
  /** The last position that was checked. */
  readonly position: number;
  /** Whether the end of the log was reached. */
  readonly isEnd: boolean;
}

/** What marketing messages are agreed to as. */
export const MARKETING = 'marketing';

/** What all withdrawals have that the service writes itself. */
export const withdrawal = { purpose: MARKETING, action: 'withdrawn' } as const;

/**
 * Returns the entry that restores the consent of a person who undoes their withdrawal; none if there was no consent before
 * it.
 */
export async function undoneWithdrawal(
  consents: Pick<Consents, 'list'>,
  accountId: number,
  subject: string,
  source: ConsentSource,
): Promise<ConsentInput[]> {
  const [last, before] = await consents.list(accountId, { subject, limit: 2 });
  if (last?.action !== 'withdrawn' || last.source !== source || before?.action !== 'given') return [];
  const { channel, purpose } = before;
  const evidence = { form: 'withdrawal undone by the person' };
  return [{ subject, channel: channel as ConsentChannel, purpose, action: 'given', source, evidence }];
}

/** The consent log of accounts: rows are added, read and checked, and never changed. */
export class Consents {
  readonly #sql: Sql;
  readonly #clock: Context['clock'];
  readonly #secrets: Context['secrets'];
  #digestKey: Promise<KeyObject> | undefined;

  constructor({ sql, clock, secrets }: Pick<Context, 'sql' | 'clock' | 'secrets'>) {
    this.#sql = sql;
    this.#clock = clock;
    this.#secrets = secrets;
  }

  /** Adds entries in a transaction of its own; the position of the last. */
  record(accountId: number, entries: readonly ConsentInput[]): Promise<number> {
    return this.#sql.begin((tx) => this.recordWithin(tx, accountId, entries));
  }

  /**
   * As `record`, in the caller's transaction, as the last of what it locks. Nothing is written for an account without a
   * wallet.
   */
  async recordWithin(
    tx: TransactionSql,
    accountId: number,
    entries: readonly ConsentInput[],
  ): Promise<number> {
    if (entries.length === 0) return 0;
    await tx`
      INSERT INTO consent_heads (account_id, position, digest)
      SELECT w.account_id, 0, ${GENESIS} FROM wallets w WHERE w.account_id = ${accountId}
      ON CONFLICT ON CONSTRAINT consent_heads_pkey DO NOTHING`;
    const [head] = await tx<{ position: number; digest: Buffer }[]>`
      SELECT position, digest FROM consent_heads WHERE account_id = ${accountId} FOR UPDATE`;
    if (!head) return 0;
    let { position, digest } = head;
    const digestSubject = await this.digester();
    const slice = new TimeSlice();
    for (const some of inStatements(entries, ROWS_AT_ONCE)) {
      const rows: (ChainedRow & { previous: Buffer; digest: Buffer; subject: string })[] = [];
      for (const entry of some) {
        const row = this.#rowOf(entry, ++position, digestSubject(accountId, entry.subject));
        const previous = digest;
        digest = digestOf(previous, row);
        rows.push({ ...row, previous, digest, subject: entry.subject });
        if (slice.isOverNow) await slice.rest();
      }
      await insertRows(tx, accountId, rows);
    }
    await tx`
      UPDATE consent_heads SET position = ${position}, digest = ${digest} WHERE account_id = ${accountId}`;
    return position;
  }

  /** Rows of an account, the latest first, before a position; with `subject` those of one number or address. */
  async list(
    accountId: number,
    { before, limit, subject }: { before?: number | undefined; limit: number; subject?: string },
  ): Promise<Consent[]> {
    const sql = this.#sql;
    const wanted = subject === undefined ? undefined : (await this.digester())(accountId, subject);
    return sql<Consent[]>`
      SELECT ${columns(sql)} FROM ${joined(sql, accountId)}
      WHERE c.account_id = ${accountId}
        ${before === undefined ? sql`` : sql`AND c.position < ${before}`}
        ${wanted ? sql`AND c.subject_digest = ${wanted}` : sql``}
      ORDER BY c.position DESC LIMIT ${limit}`;
  }

  /** Rows of an account in their order, after a position. */
  async page(accountId: number, after: number, limit: number): Promise<Consent[]> {
    const sql = this.#sql;
    return sql<Consent[]>`
      SELECT ${columns(sql)} FROM ${joined(sql, accountId)}
      WHERE c.account_id = ${accountId} AND c.position > ${after} ORDER BY c.position LIMIT ${limit}`;
  }

  /** Whether rows are as they were written, in their order, after a position; `limit` at most. */
  async check(accountId: number, after: number, limit: number): Promise<ChainCheck> {
    const [last] = after === 0 ? [] : await this.page(accountId, after - 1, 1);
    let previous = last?.digest ?? GENESIS.toString('hex');
    let position = after;
    let checked = 0;
    const rows = await this.page(accountId, after, limit);
    for (const row of rows) {
      const isNext = row.position === position + 1 && row.previous === previous;
      if (!isNext || digestOf(Buffer.from(previous, 'hex'), row).toString('hex') !== row.digest) {
        return { checked, brokenAt: position + 1, position, isEnd: false };
      }
      ({ position, digest: previous } = row);
      checked++;
    }
    const isEnd = rows.length < limit;
    if (!isEnd) return { checked, brokenAt: null, position, isEnd };
    // Rows that were deleted at the end are known by the head.
    const [head] = await this.#sql<{ position: number; digest: Buffer }[]>`
      SELECT position, digest FROM consent_heads WHERE account_id = ${accountId}`;
    const isWhole = !head || (head.position === position && head.digest.toString('hex') === previous);
    return { checked, brokenAt: isWhole ? null : position + 1, position, isEnd };
  }

  /** Signs a text with the key of the installation: Ed25519, with the public key as PEM. */
  async sign(text: string): Promise<{ signature: string; publicKey: string }> {
    const key = await this.#signatureKey();
    return {
      signature: sign(null, Buffer.from(text), key).toString('base64'),
      publicKey: createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    };
  }

  /** Takes the number or address away from what it agreed to. The rows stay, as a proof. */
  async forget(accountId: number, subject: string): Promise<void> {
    const digest = (await this.digester())(accountId, subject);
    await this.#sql`
      DELETE FROM consent_subjects WHERE account_id = ${accountId} AND digest = ${digest}`;
  }

  /** What digests the numbers and addresses of accounts, as rows have them. */
  async digester(): Promise<(accountId: number, subject: string) => Buffer> {
    this.#digestKey ??= installationKey(this.#sql, this.#secrets, DIGESTS)
      .then((key) => createSecretKey(key))
      .catch((error: unknown) => {
        // The next one who asks tries again.
        this.#digestKey = undefined;
        throw error;
      });
    const key = await this.#digestKey;
    return (accountId, subject) => createHmac('sha256', key).update(`${accountId} ${subject}`).digest();
  }

  #rowOf(entry: ConsentInput, position: number, subjectDigest: Buffer): ChainedRow {
    const { channel, purpose, action, at, source, evidence = {} } = entry;
    const recordedAt = this.#clock.now();
    return {
      ...{ position, channel, purpose, action, source, recordedAt },
      subjectDigest: subjectDigest.toString('hex'),
      at: at ?? recordedAt,
      evidence: JSON.stringify({ ...evidence, ...(evidence.url && { url: withoutQuery(evidence.url) }) }),
    };
  }

  async #signatureKey(): Promise<KeyObject> {
    const seed = await installationKey(this.#sql, this.#secrets, SIGNATURES);
    return createPrivateKey({ key: Buffer.concat([ED25519, seed]), format: 'der', type: 'pkcs8' });
  }
}

/** What follows in an address of a page may name somebody. */
const withoutQuery = (url: string) => url.replace(/[?#].*$/s, '');

async function insertRows(
  tx: TransactionSql,
  accountId: number,
  rows: readonly (ChainedRow & { previous: Buffer; digest: Buffer; subject: string })[],
): Promise<void> {
  const hex = (buffers: readonly Buffer[]) => texts(buffers.map((one) => one.toString('hex')));
  await tx`
    INSERT INTO consents (account_id, position, subject_digest, channel, purpose, action, at, recorded_at, source, evidence,
      previous, digest)
    SELECT w.account_id, u.position, decode(u.subject_digest, 'hex'), u.channel, u.purpose, u.action, u.at, u.recorded_at,
      u.source, u.evidence, decode(u.previous, 'hex'), decode(u.digest, 'hex')
    FROM wallets w, unnest(
      ${numbers(rows.map(({ position }) => position))}::bigint[], ${texts(rows.map((row) => row.subjectDigest))}::text[],
      ${texts(rows.map(({ channel }) => channel))}::text[], ${texts(rows.map(({ purpose }) => purpose))}::text[],
      ${texts(rows.map(({ action }) => action))}::text[], ${numbers(rows.map(({ at }) => at))}::bigint[],
      ${numbers(rows.map(({ recordedAt }) => recordedAt))}::bigint[], ${texts(rows.map(({ source }) => source))}::text[],
      ${texts(rows.map(({ evidence }) => evidence))}::text[], ${hex(rows.map(({ previous }) => previous))}::text[],
      ${hex(rows.map(({ digest }) => digest))}::text[]
    ) AS u (position, subject_digest, channel, purpose, action, at, recorded_at, source, evidence, previous, digest)
    WHERE w.account_id = ${accountId}`;
  const subjects = firstOfEach(rows, ({ subjectDigest }) => subjectDigest);
  const firsts = [...subjects.values()];
  await tx`
    INSERT INTO consent_subjects (account_id, digest, subject, since)
    SELECT w.account_id, decode(u.digest, 'hex'), u.subject, u.since
    FROM wallets w, unnest(${texts([...subjects.keys()])}::text[], ${texts(firsts.map(({ subject }) => subject))}::text[],
      ${numbers(firsts.map(({ position }) => position))}::bigint[]) AS u (digest, subject, since)
    WHERE w.account_id = ${accountId}
    ON CONFLICT ON CONSTRAINT consent_subjects_pkey DO NOTHING`;
}

const joined = (sql: Queryable, accountId: number) => sql`
  consents c LEFT JOIN consent_subjects s
    ON s.account_id = ${accountId} AND s.digest = c.subject_digest AND c.position >= s.since`;

const columns = (
  sql: Queryable,
) => sql`c.position, s.subject, encode(c.subject_digest, 'hex') AS "subjectDigest",
  c.channel, c.purpose, c.action, c.at, c.recorded_at AS "recordedAt", c.source, c.evidence,
  encode(c.previous, 'hex') AS previous, encode(c.digest, 'hex') AS digest`;
