import type { ChatPlatformClient } from '../../carriers/chat-platform/client.ts';
import type { NotDone } from '../../carriers/chat-platform/outcomes.ts';
import { type TemplateStatus, templateStatus } from '../../carriers/chat-platform/template-status.ts';
import type { Context } from '../../context.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { newClaim } from '../../database/leases.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import type { DueRows } from '../../due-look.ts';
import type { Events } from '../../events/events.ts';
import type { GuardedAgent } from '../../http/ssrf-guard.ts';
import type { ChatNumbers } from './numbers.ts';
import { columns, isChange, type PastStatus, setStatuses, storable, type Template } from './template-rows.ts';
import { type FetchedSample, fetchSample, type Sample } from './template-sample.ts';

const DAY = 86_400_000;
/** What a killed process was submitting is taken up by another one after this. */
const LEASE_MS = 300_000;
/** Calls are given up so long before the lease is over. */
const MARGIN_MS = 30_000;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 600_000;
const CANDIDATES = 10;

export const NO_APP = 'headers of images, videos and documents need the setting CHAT_APP_ID';

export interface SubmissionDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly events: Pick<Events, 'record'>;
  readonly numbers: ChatNumbers;
  readonly platform: Pick<
    ChatPlatformClient,
    'submitTemplate' | 'editTemplate' | 'listTemplates' | 'listNumbers' | 'deleteTemplate' | 'uploadSample'
  >;
  /** Our app's id on the platform, which examples of media are uploaded to; empty: there are none. */
  readonly appId: string;
  /** Fetches the examples of media headers. */
  readonly media: GuardedAgent;
  /** Names this process in leases. */
  readonly owner: string;
}

/** A submission that this process works on. */
export interface SubmissionLease {
  readonly accountId: number;
  /** The template's row. */
  readonly id: number;
  /** With the running one. */
  readonly attempts: number;
  /** Whether an earlier attempt may have reached the platform. */
  readonly uncertain: boolean;
  /** Its `lease_owner` (database/leases.ts). */
  readonly claim: string;
}

/**
 * Gives templates to the platform. Each is a row of `chat_template_submissions` until the platform has answered; while
 * it does not, they are tried again with pauses of 5 seconds to 10 minutes. When it is not known whether an attempt was
 * taken, the next one looks at the platform's list first.
 */
export class TemplateSubmissions {
  readonly #deps: SubmissionDeps;
  readonly #stopped = new AbortController();
  /** Examples are up to 100 MB: one at a time is in memory. */
  #fetching: Promise<unknown> = Promise.resolve();

  constructor(deps: SubmissionDeps) {
    this.#deps = deps;
  }

  /** Returns the submissions whose next attempt is due. */
  due(leaseNow = leaseClock.now()): DueRows {
    const { sql, clock } = this.#deps;
    return sql`FROM chat_template_submissions WHERE due_at <= ${clock.now()} AND lease_until < ${leaseNow}`;
  }

  /** In the transaction that stores a template: a submission that this process has to `perform`. */
  async store(tx: TransactionSql, accountId: number, id: number): Promise<SubmissionLease> {
    const { clock, owner } = this.#deps;
    const claim = newClaim(owner);
    await tx`
      INSERT INTO chat_template_submissions
        (account_id, id, attempts, due_at, uncertain, problem, lease_owner, lease_until)
      VALUES (${accountId}, ${id}, 1, ${clock.now()}, true, '', ${claim}, ${leaseClock.now() + LEASE_MS})`;
    return { accountId, id, attempts: 1, uncertain: false, claim };
  }

  /** Submits what is due, until nothing is, or `stop` is called. */
  async run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const lease = await this.#claim();
      if (!lease) return;
      await this.perform(lease);
    }
  }

  /** Ends `run`, and the wait for the platform's answers. */
  stop(): void {
    this.#stopped.abort();
  }

  /** What went wrong last with templates that the platform does not have yet, by row; empty at the first attempt. */
  async problems(accountId: number): Promise<Map<number, string>> {
    const rows = await this.#deps.sql<{ id: number; problem: string }[]>`
      SELECT id, problem FROM chat_template_submissions WHERE account_id = ${accountId}`;
    return new Map(rows.map(({ id, problem }) => [id, problem]));
  }

  /**
   * One attempt; `sample` is the header's example where it is here already. Throws for a database that is away; the
   * lease is then the pause before the next attempt, as it is after a fault of ours, which is logged.
   */
  async perform(lease: SubmissionLease, sample?: Sample): Promise<void> {
    try {
      await this.#perform(lease, sample);
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error;
      this.#deps.log.error(
        { err: error, template: lease.id },
        'template not submitted, next attempt when its lease ends',
      );
    }
  }

  async #claim(): Promise<SubmissionLease | undefined> {
    const { sql, owner } = this.#deps;
    const leaseNow = leaseClock.now();
    const due = await sql<{ account_id: number; id: number }[]>`
      SELECT account_id, id ${this.due(leaseNow)} ORDER BY due_at LIMIT ${CANDIDATES}`;
    for (const { account_id: accountId, id } of due) {
      const claim = newClaim(owner);
      // Whether this attempt reaches the platform is uncertain until its outcome is stored.
      const [row] = await sql.begin(async (tx) => {
        const [free] = await tx<{ attempts: number; uncertain: boolean }[]>`
          SELECT attempts, uncertain FROM chat_template_submissions
          WHERE account_id = ${accountId} AND id = ${id} AND lease_until < ${leaseNow} FOR UPDATE SKIP LOCKED`;
        if (!free) return [];
        await tx`
          UPDATE chat_template_submissions
          SET attempts = attempts + 1, uncertain = true, lease_owner = ${claim}, lease_until = ${leaseNow + LEASE_MS}
          WHERE account_id = ${accountId} AND id = ${id}`;
        return [free];
      });
      if (row) return { accountId, id, attempts: row.attempts + 1, uncertain: row.uncertain, claim };
    }
    return undefined;
  }

  async #perform(lease: SubmissionLease, given: Sample | undefined): Promise<void> {
    const { sql, numbers, platform, clock, appId } = this.#deps;
    const [template] = await sql<Template[]>`
      ${columns(sql)} FROM chat_templates WHERE account_id = ${lease.accountId} AND id = ${lease.id}`;
    if (!template || template.platformId !== null || template.status === templateStatus.deleted) {
      return this.#end(lease);
    }
    const { name, language, content } = template;
    const number = await numbers.find(template.phone);
    if (!number) throw new Error('template of an unknown business number');
    const account = { accountId: number.businessAccountId, token: number.accessToken };
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(LEASE_MS - MARGIN_MS)]);
    if (lease.uncertain) {
      const listed = await platform.listTemplates(account, signal);
      if (listed.outcome !== 'done') return this.#later(lease, listed, true);
      const taken = listed.templates.find((one) => one.name === name && one.language === language);
      if (taken) return this.#taken(lease, taken.platformId, taken.status);
    }
    let headerHandle: string | undefined;
    const { header } = content;
    if (header.kind !== 'none' && header.kind !== 'text') {
      const fetched = given ? { sample: given } : await this.fetch(header.kind, header.sample);
      if (fetched.problem !== undefined) {
        return fetched.passes && clock.now() - template.createdAt < DAY
          ? this.#postpone(lease, fetched.problem, false)
          : this.#refused(lease, templateStatus.wrongFormat, fetched.problem);
      }
      if (appId === '') return this.#postpone(lease, NO_APP, false);
      const uploaded = await platform.uploadSample({ appId, token: account.token }, fetched.sample, signal);
      if (uploaded.outcome === 'refused')
        return this.#refused(lease, statusOf(uploaded.reason), uploaded.title);
      if (uploaded.outcome !== 'done') return this.#later(lease, uploaded, false);
      headerHandle = uploaded.handle;
    }
    const submitted = await platform.submitTemplate(
      account,
      { name, language, content, headerHandle },
      signal,
    );
    if (submitted.outcome === 'done') return this.#taken(lease, submitted.platformId, submitted.status);
    if (submitted.outcome === 'refused')
      return this.#refused(lease, statusOf(submitted.reason), submitted.title);
    return this.#later(lease, submitted, submitted.outcome === 'unknown');
  }

  /** Fetches the example of a media header, one after another. */
  fetch(kind: Parameters<typeof fetchSample>[1], link: string): Promise<FetchedSample> {
    const next = this.#fetching.then(() => fetchSample(this.#deps.media, kind, link));
    this.#fetching = next;
    return next;
  }

  /** The platform has it. That it is pending there changes nothing, and its review may have been faster than the answer. */
  async #taken(lease: SubmissionLease, platformId: string, status: TemplateStatus | null): Promise<void> {
    const { accountId, id } = lease;
    const at = this.#deps.clock.now();
    await this.#settle(lease, async (tx, template) => {
      if (template.platformId === null) {
        await tx`
          UPDATE chat_templates SET platform_id = ${platformId} WHERE account_id = ${accountId} AND id = ${id}`;
      }
      await tx`DELETE FROM chat_template_submissions WHERE account_id = ${accountId} AND id = ${id}`;
      return status === null || status === templateStatus.pending ? undefined : { status, reason: '', at };
    });
  }

  /** The platform does not want it. */
  async #refused(lease: SubmissionLease, status: TemplateStatus, title: string): Promise<void> {
    const { accountId, id, claim } = lease;
    const at = this.#deps.clock.now();
    await this.#settle(lease, async (tx, template) => {
      const ended = await tx`
        DELETE FROM chat_template_submissions
        WHERE account_id = ${accountId} AND id = ${id} AND lease_owner = ${claim}
        RETURNING id`;
      // Another process has the lease now: its outcome counts.
      return ended.length === 0 || template.platformId !== null
        ? undefined
        : { status, reason: storable(title), at };
    });
  }

  /** Writes an outcome under the lock of the template; `outcome` returns a status that the platform tells with it. */
  async #settle(
    { accountId, id }: SubmissionLease,
    outcome: (tx: TransactionSql, template: Template) => Promise<PastStatus | undefined>,
  ): Promise<void> {
    const { sql, ids, events } = this.#deps;
    await sql.begin(async (tx) => {
      const [template] = await tx<Template[]>`
        ${columns(tx)} FROM chat_templates WHERE account_id = ${accountId} AND id = ${id} FOR UPDATE`;
      if (!template) return;
      const report = await outcome(tx, template);
      if (!report || !isChange(template, report)) return;
      await events.record(tx, accountId, await setStatuses(tx, ids, accountId, [{ template, ...report }]));
    });
  }

  async #later(lease: SubmissionLease, outcome: NotDone, uncertain: boolean): Promise<void> {
    const afterMs = outcome.outcome === 'again' ? outcome.afterMs : undefined;
    const problem = outcome.outcome === 'unknown' ? 'the platform has not answered' : outcome.title;
    await this.#postpone(lease, problem, uncertain, afterMs);
  }

  async #postpone(lease: SubmissionLease, problem: string, uncertain: boolean, afterMs = 0): Promise<void> {
    const { sql, clock, log } = this.#deps;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (lease.attempts - 1), LONGEST_PAUSE_MS);
    log.warn(
      { template: lease.id, attempts: lease.attempts, problem },
      'a template waits for the chat platform',
    );
    await sql`
      UPDATE chat_template_submissions
      SET due_at = ${clock.now() + Math.max(pause, afterMs)}, uncertain = ${uncertain}, problem = ${storable(problem)},
        lease_owner = NULL, lease_until = 0
      WHERE account_id = ${lease.accountId} AND id = ${lease.id} AND lease_owner = ${lease.claim}`;
  }

  async #end({ accountId, id, claim }: SubmissionLease): Promise<void> {
    await this.#deps.sql`
      DELETE FROM chat_template_submissions
      WHERE account_id = ${accountId} AND id = ${id} AND lease_owner = ${claim}`;
  }
}

/** The status of a template that was refused before any review. */
function statusOf(reason: string): TemplateStatus {
  return reason === 'request' ? templateStatus.wrongFormat : templateStatus.rejected;
}
