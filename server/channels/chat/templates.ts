import { setTimeout as pause } from 'node:timers/promises';
import { texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { ClaimedRow } from '../../engine/work/runner.ts';
import { BatchedLookup } from '../../kit/batched-lookup.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import type {
  TemplateCategoryFact,
  TemplateQualityFact,
  TemplateStatusFact,
} from '../../protocols/chat-platform/facts.ts';
import type { NotDone } from '../../protocols/chat-platform/outcomes.ts';
import { templateStatus } from '../../protocols/chat-platform/template-status.ts';
import type { ChatNumber, Portfolio } from './business-numbers.ts';
import { checkTemplate, type TemplateDraft } from './template-check.ts';
import { applyCategory, applyQuality } from './template-notices.ts';
import {
  addHistory,
  columns,
  compareStatuses,
  insertTemplates,
  isChange,
  isEditable,
  lockTemplates,
  type PastStatus,
  pastOf,
  type StatusReport,
  setStatuses,
  statusNow,
  storable,
  type Template,
  templateIdOf,
} from './template-rows.ts';
import type { Sample } from './template-sample.ts';
import { NO_APP, TemplateSubmissions, withdrawSubmissions } from './template-submissions.ts';
import { rewrite, type SyncDeps, type SyncResult, TemplateSync } from './template-sync.ts';

export { isEditable, isUsable, type Template } from './template-rows.ts';

/** Milliseconds until `find` sees a change by another process. */
const CACHE_MS = 1_000;
const CACHE_ENTRIES = 10_000;
/**
 * Milliseconds to wait for a submission. After that the template is returned as waiting, and the submission continues.
 */
const SUBMISSION_WAIT_MS = 5_000;
/** The platform's word for no reason. */
const NO_REASON = 'NONE';

interface TemplatePage {
  readonly after: number;
  readonly limit: number;
  /** false: without deleted ones. */
  readonly deleted?: boolean | undefined;
  /** Filters by name: names that contain this text, ignoring case; '' returns all. */
  readonly search?: string;
}

export type TemplatesDeps = SyncDeps & ConstructorParameters<typeof TemplateSubmissions>[0];

/** The templates of business numbers, with their state on the platform (docs/chat.md, "Templates"). */
export class Templates {
  readonly #deps: TemplatesDeps;
  readonly #submissions: TemplateSubmissions;
  readonly #syncs: TemplateSync;
  readonly #cache = new BatchedLookup({
    read: (keys: readonly string[]) => this.#read(keys),
    cache: { maxAgeMs: CACHE_MS, max: CACHE_ENTRIES },
  });
  readonly #running = new Set<Promise<void>>();

  constructor(deps: TemplatesDeps) {
    this.#deps = deps;
    this.#submissions = new TemplateSubmissions(deps);
    this.#syncs = new TemplateSync(deps);
  }

  /** Returns a template by its id in the interface, at most a second old. */
  find(accountId: number, templateId: string): Promise<Template | undefined> {
    return this.#cache.get(`${accountId} ${templateId}`);
  }

  async #read(keys: readonly string[]): Promise<Map<string, Template>> {
    const { sql } = this.#deps;
    // Each account has its own shard.
    const byAccount = Map.groupBy(keys, (key) => key.slice(0, key.indexOf(' ')));
    const read = [...byAccount].map(async ([accountId, of]) => {
      const ids = of.map((key) => key.slice(accountId.length + 1));
      return sql<Template[]>`
        ${columns(sql)} FROM chat_templates
        WHERE account_id = ${Number(accountId)} AND template_id = ANY(${texts(ids)}::text[])`;
    });
    const found = (await Promise.all(read)).flat();
    return new Map(found.map((template) => [`${template.accountId} ${template.templateId}`, template]));
  }

  /** Returns a template by its row. */
  async byRowId(accountId: number, id: number): Promise<Template | undefined> {
    const { sql } = this.#deps;
    const [template] = await sql<Template[]>`
      ${columns(sql)} FROM chat_templates WHERE account_id = ${accountId} AND id = ${id}`;
    return template;
  }

  /** Returns the templates of an account, optionally of one number or with one id, in order of creation. */
  list(
    accountId: number,
    phone?: string,
    templateId?: string,
    page: TemplatePage = { after: 0, limit: Number.MAX_SAFE_INTEGER },
  ): Promise<Template[]> {
    const { sql } = this.#deps;
    return sql<Template[]>`
      ${columns(sql)} FROM chat_templates
      WHERE account_id = ${accountId} AND id > ${page.after}
        ${phone === undefined ? sql`` : sql`AND phone = ${storable(phone)}`}
        ${templateId === undefined ? sql`` : sql`AND template_id = ${storable(templateId)}`}
        ${page.search ? sql`AND strpos(lower(name), lower(${storable(page.search)})) > 0` : sql``}
        ${page.deleted === false ? sql`AND status <> ${templateStatus.deleted}` : sql``}
      ORDER BY id LIMIT ${page.limit}`;
  }

  /** Returns every status of a template, ordered by time. */
  async history(accountId: number, id: number): Promise<PastStatus[]> {
    const rows = await this.#deps.sql<PastStatus[]>`
      SELECT status, reason, at FROM chat_template_statuses
      WHERE account_id = ${accountId} AND template_id = ${id} ORDER BY id`;
    return rows.toSorted(compareStatuses);
  }

  /**
   * Returns the last problems of the account's templates that the platform does not have yet, by row; empty for none.
   */
  waiting(accountId: number): Promise<Map<number, string>> {
    return this.#submissions.problems(accountId);
  }

  /**
   * Creates a template for a business number, with status 0, and submits it; if the platform is unavailable, it is
   * submitted in the background. Throws Refusal `bad-field` for problems that `checkTemplate` finds, an unavailable
   * example of a header, and a name that the portfolio already has in that language; `not-now` for an example without
   * CHAT_APP_ID.
   */
  async create(number: ChatNumber, draft: TemplateDraft): Promise<Template> {
    const { name, language, content } = checkTemplate(draft);
    const sample = await this.#sampleOf(content.header);
    const { sql, ids, clock } = this.#deps;
    const { accountId, phone } = number;
    const phones = await this.#phonesOf(accountId, number.portfolioId);
    const now = clock.now();
    const id = ids.next();
    const claimed = await sql.begin(async (tx) => {
      // The portfolio's row is the lock: two parallel requests cannot both create the first template of a name.
      await tx`SELECT 1 FROM chat_portfolios WHERE id = ${number.portfolioId} FOR NO KEY UPDATE`;
      await checkName(tx, accountId, phones, name, language);
      await insertTemplates(tx, ids, accountId, [
        {
          id,
          accountId,
          templateId: templateIdOf(phone, id),
          phone,
          name,
          language,
          category: content.category,
          content,
          status: templateStatus.pending,
          statusAt: now,
          createdAt: now,
          platformId: null,
        },
      ]);
      return this.#submissions.store(tx, accountId, id);
    });
    await this.#submit(claimed, sample);
    return (await this.byRowId(accountId, id))!;
  }

  /**
   * Changes the content of a template, on the platform first, for every number of its portfolio; the platform reviews
   * it again. Returns it; undefined if it does not exist. Throws Refusal `bad-field` as `create` does and for another
   * name, language or category, `not-now` if it cannot be changed or the platform refuses, `try-again` if the platform
   * does not respond: the next fetch then shows the result.
   */
  async edit(accountId: number, templateId: string, draft: TemplateDraft): Promise<Template | undefined> {
    const { clock, numbers, platform, appId } = this.#deps;
    const [template] = await this.list(accountId, undefined, templateId);
    if (!template) return undefined;
    const { name, language, content } = checkTemplate(draft);
    checkSame('name', name, template.name);
    checkSame('language', language, template.language);
    checkSame('category', content.category, template.category);
    const { platformId } = template;
    if (platformId === null || !isEditable(template)) {
      throw new Refusal('not-now', 'the template cannot be changed in this state', undefined, {
        reason: 'template-state',
      });
    }
    const number = await numbers.find(template.phone);
    if (!number) throw new Error('template of an unknown business number');
    const token = number.accessToken;
    const sample = await this.#sampleOf(content.header);
    let headerHandle: string | undefined;
    if (sample) {
      const uploaded = await platform.uploadSample({ appId, token }, sample);
      if (uploaded.outcome !== 'done') throw notTaken(uploaded);
      headerHandle = uploaded.handle;
    }
    // Before the request, because the report of its review may arrive before the response.
    const at = clock.now();
    const edited = await platform.editTemplate({ token }, { platformId, content, headerHandle });
    if (edited.outcome !== 'done') throw notTaken(edited);
    await this.#report(accountId, { platformId }, async (tx, rows) => {
      await rewrite(
        tx,
        accountId,
        rows.map(({ id }) => ({ id, content })),
      );
      const reports = rows.map((row) => ({ template: row, status: templateStatus.pending, reason: '', at }));
      // A known review was of the old content, even within the same second; one that arrived in between may be of the
      // new content.
      return reports.filter(
        (report) =>
          (report.template.status === template.status && report.template.statusAt === template.statusAt) ||
          isChange(report.template, report),
      );
    });
    return (await this.byRowId(accountId, template.id))!;
  }

  /** Schedules a fetch of a business account's templates, because the platform has changed one. */
  async applyChange(platformAccountId: string): Promise<void> {
    const portfolio = await this.#deps.numbers.portfolioByPlatformId(platformAccountId);
    if (portfolio) await this.#syncs.request(portfolio);
  }

  /** Stores a rating of a template; ignores unknown templates. */
  async applyQuality(fact: TemplateQualityFact): Promise<void> {
    const portfolio = await this.#deps.numbers.portfolioByPlatformId(fact.accountId);
    if (portfolio) await applyQuality(this.#deps, portfolio.accountId, fact);
  }

  /**
   * Stores a notice that the category of a template has changed or will change, and schedules a fetch of the templates.
   */
  async applyCategory(fact: TemplateCategoryFact): Promise<void> {
    const portfolio = await this.#deps.numbers.portfolioByPlatformId(fact.accountId);
    if (!portfolio) return;
    await applyCategory(this.#deps, portfolio.accountId, fact);
    await this.#syncs.request(portfolio);
  }

  /**
   * Stores a report of a review, which may be repeated or out of order: a status takes effect if it is newer than that
   * of the template. For an unknown template, or one whose submission has no response yet, schedules a fetch. Resolves
   * when it is stored.
   */
  async applyReview(fact: TemplateStatusFact): Promise<void> {
    const { ids, numbers, log } = this.#deps;
    const portfolio = await numbers.portfolioByPlatformId(fact.accountId);
    if (!portfolio) {
      log.warn({ event: fact.event }, 'template review of an unknown business account ignored');
      return;
    }
    const { status, at } = fact;
    // The report announces a change that only the list shows.
    if (status === null) return this.#syncs.request(portfolio);
    const { accountId } = portfolio;
    const reason = fact.reason === NO_REASON ? '' : storable(fact.reason);
    const templates = await this.#report(
      accountId,
      { platformId: storable(fact.templateId) },
      async (tx, found) => {
        const past = await pastOf(tx, accountId, found);
        const reports = found.flatMap((template): StatusReport[] => {
          // The platform's clock may be behind ours, and its times are whole seconds.
          const report = { template, status, reason, at: Math.max(at, template.createdAt) };
          const isKnown = past
            .get(template.id)
            ?.some((one) => compareStatuses(one, report) === 0 && one.status === status);
          const isGone = status === templateStatus.deleted && template.status === status;
          return isKnown || isGone ? [] : [report];
        });
        const changes = reports.filter((report) => isChange(report.template, report));
        const old = reports.filter(
          (report) => !changes.includes(report) && compareStatuses(report, statusNow(report.template)) < 0,
        );
        if (old.length > 0) await addHistory(tx, ids, accountId, old);
        return changes;
      },
    );
    if (templates.length === 0 && status !== templateStatus.deleted) await this.#syncs.request(portfolio);
  }

  /**
   * Deletes a template, also on the platform and for every number of the portfolio. Returns it with status 9; undefined
   * if it does not exist. Throws Refusal `not-now` while it is being submitted and if the platform refuses, `try-again`
   * if it does not respond.
   */
  async remove(accountId: number, templateId: string): Promise<Template | undefined> {
    const { clock, numbers } = this.#deps;
    const [template] = await this.list(accountId, undefined, templateId);
    if (!template || template.status === templateStatus.deleted) return template;
    const number = await numbers.find(template.phone);
    if (!number) throw new Error('template of an unknown business number');
    const { platformId } = template;
    if (platformId !== null) await this.#removeThere(number, template.name, platformId);
    const at = clock.now();
    const which = platformId === null ? { id: template.id } : { platformId };
    await this.#report(accountId, which, async (tx, rows) => {
      if (platformId === null) await this.#withdraw(tx, rows[0]!);
      return rows
        .filter(({ status }) => status !== templateStatus.deleted)
        .map((row) => ({ template: row, status: templateStatus.deleted, reason: '', at }));
    });
    return (await this.byRowId(accountId, template.id))!;
  }

  /** Fetches the templates of a portfolio from the platform now. Throws Refusal, see `TemplateSync.sync`. */
  async sync(portfolio: Portfolio): Promise<SyncResult> {
    const result = await this.#syncs.sync(portfolio);
    this.#cache.clear();
    return result;
  }

  /** Submits what waits. */
  submitDue(): Promise<void> {
    return this.#submissions.run();
  }

  /** Fetches what is due from the platform. */
  async fetchDue(): Promise<void> {
    await this.#syncs.ensure();
    await this.#syncs.run();
  }

  /** Makes sure that the templates of every portfolio are fetched. A job of every second. */
  ensureSyncs(): Promise<void> {
    return this.#syncs.ensure();
  }

  /**
   * Ends `run` and the wait for the platform's responses (so call it before waiting for `run`), then waits for
   * submissions that requests have begun.
   */
  async stop(): Promise<void> {
    this.#submissions.stop();
    this.#syncs.stop();
    await Promise.all(this.#running);
  }

  /** Returns the fetched example of a media header; undefined for other headers. Throws Refusal `bad-field`. */
  async #sampleOf(header: Template['content']['header']): Promise<Sample | undefined> {
    if (header.kind === 'none' || header.kind === 'text') return undefined;
    if (this.#deps.appId === '') throw new Refusal('not-now', NO_APP, undefined, { reason: 'no-chat-app' });
    const { sample, problem } = await this.#submissions.fetch(header.kind, header.sample);
    if (!sample) throw badField('header.sample', `${problem}`, 'sample-fetched');
    return sample;
  }

  async #phonesOf(accountId: number, portfolioId: number): Promise<string[]> {
    return (await this.#deps.numbers.list(accountId))
      .filter((number) => number.portfolioId === portfolioId)
      .map(({ phone }) => phone);
  }

  async #submit(claimed: ClaimedRow, sample: Sample | undefined): Promise<void> {
    const work = this.#submissions
      .perform(claimed, sample)
      .catch((error: unknown) => {
        // The template is stored, and will be submitted when the lease expires.
        this.#deps.log.warn({ err: error, template: claimed.key }, 'template submission not recorded');
      })
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
    const waited = new AbortController();
    const limit = pause(SUBMISSION_WAIT_MS, undefined, { signal: waited.signal }).catch(() => {});
    await Promise.race([work, limit]);
    waited.abort();
  }

  async #removeThere(number: ChatNumber, name: string, platformId: string): Promise<void> {
    const { platform } = this.#deps;
    const account = { accountId: number.businessAccountId, token: number.accessToken };
    const deleted = await platform.deleteTemplate(account, { name, platformId });
    if (deleted.outcome === 'done') return;
    const noAnswer = new Refusal('try-again', 'the platform does not answer, try again');
    if (deleted.outcome !== 'refused') throw noAnswer;
    // The platform may have refused because the template is already deleted.
    const listed = await platform.listTemplates(account);
    if (listed.outcome !== 'done') throw noAnswer;
    if (listed.templates.some((one) => one.platformId === platformId)) {
      throw new Refusal('not-now', `the platform refuses: ${deleted.title}`, undefined, {
        reason: 'platform-refuses',
        params: { why: deleted.title },
      });
    }
  }

  /** Withdraws the submission of a template that the platform does not have. Throws Refusal if it may have it. */
  async #withdraw(tx: TransactionSql, { accountId, id, platformId }: Template): Promise<void> {
    const [submission] = await tx<{ uncertain: boolean }[]>`
      SELECT uncertain FROM chat_template_submissions WHERE account_id = ${accountId} AND id = ${id} FOR UPDATE`;
    if (submission?.uncertain || platformId !== null) {
      throw new Refusal('not-now', 'the template is being submitted, try again later', undefined, {
        reason: 'being-submitted',
      });
    }
    await withdrawSubmissions(tx, accountId, [id]);
  }

  /**
   * Locks templates and applies the statuses that `report` returns, with their events. Returns the templates as they
   * were.
   */
  async #report(
    accountId: number,
    which: Parameters<typeof lockTemplates>[2],
    report: (tx: TransactionSql, templates: readonly Template[]) => Promise<readonly StatusReport[]>,
  ): Promise<readonly Template[]> {
    const { sql, ids, events } = this.#deps;
    const templates = await sql.begin(async (tx) => {
      const found = await lockTemplates(tx, accountId, which);
      const happened = await setStatuses(tx, ids, accountId, await report(tx, found));
      await events.record(tx, accountId, happened);
      return found;
    });
    for (const { templateId } of templates) this.#cache.forget(`${accountId} ${templateId}`);
    return templates;
  }
}

function checkSame(field: string, given: string, own: string): void {
  if (given !== own) throw badField(field, 'cannot be changed', 'fixed');
}

/** Returns the refusal for a change that the platform did not make. */
function notTaken(outcome: NotDone): Refusal {
  return outcome.outcome === 'refused'
    ? new Refusal('not-now', `the platform refuses: ${outcome.title}`, undefined, {
        reason: 'platform-refuses',
        params: { why: outcome.title },
      })
    : new Refusal('try-again', 'the platform does not answer, try again');
}

/** Templates on the platform and those waiting for submission occupy their name in their language. */
async function checkName(
  tx: TransactionSql,
  accountId: number,
  phones: readonly string[],
  name: string,
  language: string,
): Promise<void> {
  const [taken] = await tx`
    SELECT 1 FROM chat_templates AS t
    WHERE t.account_id = ${accountId} AND t.phone = ANY(${texts(phones)}::text[]) AND t.name = ${name}
      AND t.language = ${language} AND t.status <> ${templateStatus.deleted}
      AND (t.platform_id IS NOT NULL OR EXISTS (
        SELECT 1 FROM chat_template_submissions AS s WHERE s.account_id = ${accountId} AND s.id = t.id))
    LIMIT 1`;
  if (taken) throw badField('name', 'there is a template of this name in this language', 'taken');
}
