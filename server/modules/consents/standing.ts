import type { Channels } from '../../channels/contract/channels.ts';
import { accountsOf, inStatements, numbers, texts } from '../../database/arrays.ts';
import type { Sql } from '../../database/connection.ts';
import { mailAddressKey } from '../../kit/text/mail-address-key.ts';
import { TimeSlice } from '../../kit/time-slices.ts';
import { type Consents, MARKETING } from './consents.ts';

/** Recipients of a list by which those of a longer one are counted. */
const SAMPLE = 5_000;

/** Somebody an account sends to. */
export interface AskedRecipient {
  readonly accountId: number;
  /** As messages have it: E.164 digits, an address, the id of a client. */
  readonly recipient: string;
}

/** Whether a recipient agreed to marketing messages of an account on a channel (its id), and has not withdrawn it. */
export type Agreed = (accountId: number, channel: number, recipient: string) => boolean;

/** A row of the log, as far as it tells which of two stands. */
interface Order {
  /** When it was said, and no later than it was recorded: milliseconds since the epoch. */
  readonly at: number;
  readonly position: number;
}

/** The order of a row of the log. */
export const orderOf = ({ at, recordedAt, position }: Order & { readonly recordedAt: number }): Order => ({
  at: Math.min(at, recordedAt),
  position,
});

/** What was said about a channel last. */
interface Said extends Order {
  readonly isGiven: boolean;
}

/**
 * Whether one of two rows about the same person, channel and purpose stands: the one that was said later, of two of the same
 * time the one that was recorded later.
 */
export const isLater = (one: Order, other: Order): boolean =>
  one.at === other.at ? one.position > other.position : one.at > other.at;

/** Whom a send goes to. */
export interface AskedSend {
  /** Single recipients. */
  readonly recipients: readonly string[];
  readonly lists: readonly {
    readonly count: number;
    /** Its first recipients. */
    first(limit: number): Promise<readonly string[]>;
  }[];
  /** The ids of the channels on which a recipient is sent to. */
  readonly channelsOf: (recipient: string) => readonly number[];
}

interface StandingConsentsDeps {
  readonly sql: Sql;
  readonly channels: Channels;
  readonly consents: Pick<Consents, 'digester'>;
}

/** Reads from the consent log who agreed to marketing messages. */
export class StandingConsents {
  readonly #deps: StandingConsentsDeps;

  constructor(deps: StandingConsentsDeps) {
    this.#deps = deps;
  }

  /**
   * What stands for recipients of accounts of one placement, whose connections `sql` are: one statement for 5,000 of them. A
   * consent that was erased does not stand.
   */
  async of(asked: readonly AskedRecipient[], sql = this.#deps.sql): Promise<Agreed> {
    const digestOf = await this.#deps.consents.digester();
    const keys = new Map<string, string>();
    const said = new Map<string, Map<string, Said>>();
    const slice = new TimeSlice();
    for (const some of inStatements(asked)) {
      const accounts: number[] = [];
      const digests: string[] = [];
      for (const { accountId, recipient } of some) {
        const name = `${accountId} ${recipient}`;
        if (keys.has(name)) continue;
        const digest = digestOf(accountId, subjectOf(recipient)).toString('hex');
        keys.set(name, `${accountId} ${digest}`);
        accounts.push(accountId);
        digests.push(digest);
        if (slice.isOver) await slice.rest();
      }
      if (digests.length === 0) continue;
      const rows = await readSaid(sql, accountsOf(some), accounts, digests);
      for (const { accountId, digest, channel, ...row } of rows) {
        const key = `${accountId} ${digest}`;
        if (!said.has(key)) said.set(key, new Map());
        said.get(key)!.set(channel, row);
      }
    }
    return (accountId, channel, recipient) => {
      const byChannel = said.get(keys.get(`${accountId} ${recipient}`) ?? '');
      return byChannel !== undefined && stands(byChannel, this.#deps.channels.of(channel).name);
    };
  }

  /**
   * How many recipients of a send have no consent: exact for single ones and lists of up to 5,000, from the first 5,000 of longer
   * lists.
   */
  async countMissing(accountId: number, { recipients, lists, channelsOf }: AskedSend): Promise<number> {
    const missingAmong = async (some: readonly string[]) => {
      const agreed = await this.of(some.map((recipient) => ({ accountId, recipient })));
      return some.filter(
        (recipient) => !channelsOf(recipient).some((channel) => agreed(accountId, channel, recipient)),
      ).length;
    };
    let missing = await missingAmong(recipients);
    for (const list of lists) {
      const sample = await list.first(SAMPLE);
      if (sample.length === 0) continue;
      const share = (await missingAmong(sample)) / sample.length;
      missing += Math.round(share * Math.max(list.count, sample.length));
    }
    return missing;
  }
}

/** What a recipient is in the log. */
const subjectOf = (recipient: string): string =>
  recipient.includes('@') ? mailAddressKey(recipient) : recipient;

/** Of what was said about the channel and about every channel, the later one counts. */
function stands(said: ReadonlyMap<string, Said>, channel: string): boolean {
  const [own, any] = [said.get(channel), said.get('any')];
  if (!own || !any) return (own ?? any)?.isGiven === true;
  return (isLater(own, any) ? own : any).isGiven;
}

/** What digests of accounts said last, by channel. `among`: their different accounts. */
function readSaid(sql: Sql, among: string, accounts: readonly number[], digests: readonly string[]) {
  return sql<(Said & { accountId: number; digest: string; channel: string })[]>`
    SELECT DISTINCT ON (c.account_id, c.subject_digest, c.channel) c.account_id AS "accountId",
      encode(c.subject_digest, 'hex') AS digest, c.channel, c.action = 'given' AS "isGiven",
      least(c.at, c.recorded_at) AS at, c.position
    FROM unnest(${numbers(accounts)}::bigint[], ${texts(digests)}::text[]) AS u (account_id, digest)
    JOIN consent_subjects s ON s.account_id = u.account_id AND s.digest = decode(u.digest, 'hex')
    JOIN consents c ON c.account_id = s.account_id AND c.subject_digest = s.digest AND c.position >= s.since
    WHERE s.account_id = ANY(${among}::bigint[]) AND c.account_id = ANY(${among}::bigint[])
      AND c.purpose = ${MARKETING}
    ORDER BY c.account_id, c.subject_digest, c.channel, least(c.at, c.recorded_at) DESC, c.position DESC`;
}
