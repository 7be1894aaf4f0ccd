import { numbers as numberArray } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { isFree, released } from '../../database/leases.ts';
import type { Events } from '../../engine/events/events.ts';
import { type WorkLease, WorkLost } from '../../engine/work/lease.ts';
import type { ClaimedRow, WorkRunner } from '../../engine/work/runner.ts';
import type { Work } from '../../engine/work/work.ts';
import { HIDDEN, type Outcome, type PreviousKey, type WorkItem } from '../../engine/work/worker.ts';
import type { Context } from '../../kit/context.ts';
import type { GuardedAgent } from '../../kit/http/ssrf-guard.ts';
import type { ChatPlatformClient } from '../../protocols/chat-platform/client.ts';
import type { NotDone } from '../../protocols/chat-platform/outcomes.ts';
import { type TemplateStatus, templateStatus } from '../../protocols/chat-platform/template-status.ts';
import type { ChatNumbers } from './business-numbers.ts';
import { columns, isChange, type PastStatus, setStatuses, storable, type Template } from './template-rows.ts';
import { type FetchedSample, fetchSample, type Sample } from './template-sample.ts';

const DAY = 86_400_000;
/** Kind of background work: to submit a template, by its row. */
export const TEMPLATE_SUBMISSION = 'template-submission';
/** Of one attempt. */
const DEADLINE_MS = 270_000;
const PAUSES_MS = [5, 10, 20, 40, 80, 160, 320, 600].map((seconds) => seconds * 1_000);

export const NO_APP = 'headers of images, videos and documents need the setting CHAT_APP_ID';

export interface SubmissionDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly events: Pick<Events, 'record'>;
  readonly numbers: ChatNumbers;
  readonly platform: Pick<
    ChatPlatformClient,
    'submitTemplate' | 'editTemplate' | 'listTemplates' | 'listNumbers' | 'deleteTemplate' | 'uploadSample'
  >;
  /** Our app's id on the platform, for uploads of media examples; empty: no examples can be uploaded. */
  readonly appId: string;
  /** Fetches the examples of media headers. */
  readonly media: GuardedAgent;
  readonly work: Work;
}

/** A submission that this process works on. */
interface Submission {
  readonly accountId: number;
  /** The template's row. */
  readonly id: number;
  /** Including the running one. */
  readonly attempts: number;
  /** Whether an earlier attempt may have reached the platform. */
  readonly uncertain: boolean;
  readonly lease: WorkLease;
}

/**
 * Submits templates to the platform. Each is a row of `chat_template_submissions` until the platform has responded;
 * until then it is retried with pauses of 5 seconds to 10 minutes. If the result of an attempt is unknown, the next one
 * checks the platform's list first.
 */
export class TemplateSubmissions {
  readonly #deps: SubmissionDeps;
  readonly #runner: WorkRunner;
  /** Examples that the request of the first attempt has fetched, by template. */
  readonly #samples = new Map<number, Sample>();
  /** Examples have up to 100 MB, so only one at a time is in memory. */
  #fetching: Promise<unknown> = Promise.resolve();

  constructor(deps: SubmissionDeps) {
    this.#deps = deps;
    this.#runner = deps.work.register({
      kind: TEMPLATE_SUBMISSION,
      owner: 'template submissions',
      places: 1,
      deadlineMs: DEADLINE_MS,
      retry: { pausesMs: PAUSES_MS },
      step: (item, lease) => this.#step(item, lease),
      previous: {
        waiting: (sql, leaseNow, limit) => sql<PreviousKey[]>`
          SELECT account_id AS "accountId", id AS key FROM chat_template_submissions
          WHERE due_at <= ${leaseNow} AND ${isFree(sql, leaseNow)} LIMIT ${limit}`,
        async take(tx, { accountId, key }, leaseNow) {
          const { count } = await tx`
            UPDATE chat_template_submissions SET due_at = ${HIDDEN}, ${released(tx)}
            WHERE account_id = ${accountId} AND id = ${key} AND due_at <= ${leaseNow} AND ${isFree(tx, leaseNow)}`;
          return count === 0 ? undefined : leaseNow;
        },
      },
    });
  }

  /** Stores a submission in the transaction that stores its template. This process must then `perform` it. */
  async store(tx: TransactionSql, accountId: number, id: number): Promise<ClaimedRow> {
    await tx`
      INSERT INTO chat_template_submissions (account_id, id, attempts, due_at, uncertain, problem, lease_until)
      VALUES (${accountId}, ${id}, 0, ${HIDDEN}, false, '', 0)`;
    const claimed = await this.#runner.claim(tx, accountId, id);
    return claimed!;
  }

  /** Submits due templates until none is left, or `stop` is called. */
  run(): Promise<void> {
    return this.#runner.run();
  }

  /** Ends `run`, and the wait for the platform's responses. */
  stop(): void {
    this.#runner.stop();
  }

  /**
   * Returns the last problems of templates that the platform does not have yet, by row; empty before the end of the
   * first attempt.
   */
  async problems(accountId: number): Promise<Map<number, string>> {
    const rows = await this.#deps.sql<{ id: number; problem: string }[]>`
      SELECT id, problem FROM chat_template_submissions WHERE account_id = ${accountId}`;
    return new Map(rows.map(({ id, problem }) => [id, problem]));
  }

  /** Makes the first attempt; `sample` is the header's example where it is here already. Throws for a database that is away. */
  async perform(claimed: ClaimedRow, sample?: Sample): Promise<void> {
    if (sample) this.#samples.set(claimed.key, sample);
    try {
      await this.#runner.perform(claimed);
    } finally {
      this.#samples.delete(claimed.key);
    }
  }

  async #step({ accountId, key: id, attempts }: WorkItem, lease: WorkLease): Promise<Outcome> {
    // From here until the result is stored, it is uncertain whether this attempt reached the platform.
    const before = await this.#deps.sql.begin(async (tx) => {
      const [row] = await tx<{ uncertain: boolean }[]>`
        SELECT uncertain FROM chat_template_submissions WHERE account_id = ${accountId} AND id = ${id} FOR UPDATE`;
      await tx`
        UPDATE chat_template_submissions SET uncertain = true, attempts = ${attempts}
        WHERE account_id = ${accountId} AND id = ${id}`;
      await lease.hold(tx);
      return row;
    });
    return before ? this.#attempt({ accountId, id, attempts, uncertain: before.uncertain, lease }) : 'done';
  }

  async #attempt(submission: Submission): Promise<Outcome> {
    const { sql, numbers, platform, clock, appId } = this.#deps;
    const { accountId, id, lease } = submission;
    const { signal } = lease;
    const [template] = await sql<Template[]>`
      ${columns(sql)} FROM chat_templates WHERE account_id = ${accountId} AND id = ${id}`;
    if (!template || template.platformId !== null || template.status === templateStatus.deleted) {
      return this.#end(submission);
    }
    const { name, language, content } = template;
    const number = await numbers.find(template.phone);
    if (!number) throw new Error('template of an unknown business number');
    const account = { accountId: number.businessAccountId, token: number.accessToken };
    if (submission.uncertain) {
      const listed = await platform.listTemplates(account, signal);
      if (listed.outcome !== 'done') return this.#later(submission, listed, true);
      const taken = listed.templates.find((one) => one.name === name && one.language === language);
      if (taken) return this.#taken(submission, taken.platformId, taken.status);
    }
    let headerHandle: string | undefined;
    const { header } = content;
    if (header.kind !== 'none' && header.kind !== 'text') {
      const given = this.#samples.get(id);
      const fetched = given ? { sample: given } : await this.fetch(header.kind, header.sample);
      if (fetched.problem !== undefined) {
        return fetched.passes && clock.now() - template.createdAt < DAY
          ? this.#postpone(submission, fetched.problem, false)
          : this.#refused(submission, templateStatus.wrongFormat, fetched.problem);
      }
      if (appId === '') return this.#postpone(submission, NO_APP, false);
      const uploaded = await platform.uploadSample({ appId, token: account.token }, fetched.sample, signal);
      if (uploaded.outcome === 'refused')
        return this.#refused(submission, statusOf(uploaded.reason), uploaded.title);
      if (uploaded.outcome !== 'done') return this.#later(submission, uploaded, false);
      headerHandle = uploaded.handle;
    }
    const submitted = await platform.submitTemplate(
      account,
      { name, language, content, headerHandle },
      signal,
    );
    if (submitted.outcome === 'done') return this.#taken(submission, submitted.platformId, submitted.status);
    if (submitted.outcome === 'refused')
      return this.#refused(submission, statusOf(submitted.reason), submitted.title);
    return this.#later(submission, submitted, submitted.outcome === 'unknown');
  }

  /** Fetches the examples of media headers, one after another. */
  fetch(kind: Parameters<typeof fetchSample>[1], link: string): Promise<FetchedSample> {
    const next = this.#fetching.then(() => fetchSample(this.#deps.media, kind, link));
    this.#fetching = next;
    return next;
  }

  /**
   * The platform has accepted the template. A pending status changes nothing, because a review may have been faster
   * than the response.
   */
  async #taken(submission: Submission, platformId: string, status: TemplateStatus | null): Promise<Outcome> {
    const { accountId, id } = submission;
    const at = this.#deps.clock.now();
    await this.#settle(submission, async (tx, template) => {
      if (template.platformId === null) {
        await tx`
          UPDATE chat_templates SET platform_id = ${platformId} WHERE account_id = ${accountId} AND id = ${id}`;
      }
      // The platform has it, whichever process asked.
      await withdrawSubmissions(tx, accountId, [id]);
      return status === null || status === templateStatus.pending ? undefined : { status, reason: '', at };
    });
    return 'settled';
  }

  /** The platform has refused the template. */
  async #refused(submission: Submission, status: TemplateStatus, title: string): Promise<Outcome> {
    const at = this.#deps.clock.now();
    await this.#settle(submission, async (tx, template) => {
      await submission.lease.done(tx);
      await withdrawSubmissions(tx, submission.accountId, [submission.id]);
      return template.platformId === null ? { status, reason: storable(title), at } : undefined;
    });
    return 'settled';
  }

  /**
   * Stores a result under the lock of the template; `outcome` returns the status that the platform reported with it.
   */
  async #settle(
    { accountId, id }: Submission,
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

  #later(submission: Submission, outcome: NotDone, uncertain: boolean): Outcome {
    // The platform was not heard to the end.
    if (submission.lease.isInterrupted) throw new WorkLost();
    const afterMs = outcome.outcome === 'again' ? outcome.afterMs : undefined;
    const problem = outcome.outcome === 'unknown' ? 'the platform has not answered' : outcome.title;
    return this.#postpone(submission, problem, uncertain, afterMs);
  }

  #postpone(
    { accountId, id, attempts }: Submission,
    problem: string,
    uncertain: boolean,
    afterMs?: number | undefined,
  ): Outcome {
    this.#deps.log.warn({ template: id, attempts, problem }, 'a template waits for the chat platform');
    return {
      failed: storable(problem),
      afterMs,
      async also(tx) {
        await tx`
          UPDATE chat_template_submissions SET uncertain = ${uncertain}, problem = ${storable(problem)}
          WHERE account_id = ${accountId} AND id = ${id}`;
      },
    };
  }

  async #end({ accountId, id, lease }: Submission): Promise<Outcome> {
    await this.#deps.sql.begin(async (tx) => {
      await lease.done(tx);
      await withdrawSubmissions(tx, accountId, [id]);
    });
    return 'settled';
  }
}

/** Deletes submissions with their background work. */
export async function withdrawSubmissions(
  tx: TransactionSql,
  accountId: number,
  ids: readonly number[],
): Promise<void> {
  const rows = numberArray(ids);
  await tx`
    DELETE FROM chat_template_submissions WHERE account_id = ${accountId} AND id = ANY(${rows}::bigint[])`;
  await tx`
    DELETE FROM work WHERE account_id = ${accountId} AND kind = ${TEMPLATE_SUBMISSION} AND key = ANY(${rows}::bigint[])`;
}

/** Returns the status of a template that was refused before any review. */
function statusOf(reason: string): TemplateStatus {
  return reason === 'request' ? templateStatus.wrongFormat : templateStatus.rejected;
}
