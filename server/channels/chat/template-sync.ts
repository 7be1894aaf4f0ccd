import { isDeepStrictEqual } from 'node:util';
import { numbers as numberArray, texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import type { Event } from '../../engine/events/types.ts';
import { type WorkLease, WorkLost } from '../../engine/work/lease.ts';
import type { WorkRunner } from '../../engine/work/runner.ts';
import type { Outcome, WorkItem } from '../../engine/work/worker.ts';
import { Refusal } from '../../kit/errors.ts';
import { templateStatus } from '../../protocols/chat-platform/template-status.ts';
import type { ListedTemplate } from '../../protocols/chat-platform/templates.ts';
import { type Portfolio, TEMPLATE_SYNC } from './business-numbers.ts';
import { Standings } from './standings.ts';
import { rate } from './template-notices.ts';
import {
  columns,
  insertTemplates,
  isChange,
  type NewTemplate,
  type StatusReport,
  setStatuses,
  storable,
  type Template,
  templateIdOf,
} from './template-rows.ts';
import { type SubmissionDeps, TEMPLATE_SUBMISSION, withdrawSubmissions } from './template-submissions.ts';

/** Of one attempt. */
const DEADLINE_MS = 270_000;
const FIRST_PAUSE_MS = 60_000;
/** Milliseconds until the list is read again, if it contained a template that was just being submitted. */
const UNSETTLED_MS = 5_000;

export interface SyncDeps
  extends Pick<SubmissionDeps, 'sql' | 'ids' | 'clock' | 'log' | 'events' | 'numbers' | 'platform' | 'work'> {
  /** Milliseconds between fetches of each portfolio's templates. */
  readonly syncEveryMs: number;
}

/** Result of fetching a portfolio's templates; a template counts once for each business number. */
export interface SyncResult {
  /** Templates on the platform. */
  readonly found: number;
  readonly added: number;
  /** Templates with another status now, including removed ones. */
  readonly changed: number;
  /** Names of templates that this service cannot send, which are ignored. */
  readonly unsupported: readonly string[];
}

/** The platform does not answer. */
class Unanswered extends Refusal {
  readonly afterMs: number | undefined;

  constructor(afterMs: number | undefined) {
    super('try-again', 'the platform does not answer, try again');
    this.afterMs = afterMs;
  }
}

/** Pauses after failed fetches: each twice as long as the one before, up to the time between two fetches. */
function pausesUpTo(limitMs: number): number[] {
  const pauses = [Math.min(FIRST_PAUSE_MS, limitMs)];
  while (pauses.at(-1)! < limitMs) pauses.push(Math.min(pauses.at(-1)! * 2, limitMs));
  return pauses;
}

type PortfolioKey = Pick<Portfolio, 'id' | 'accountId'>;

/** The platform's templates, the time of the request, and the platform's ids known before. */
interface List {
  readonly templates: readonly ListedTemplate[];
  readonly listedAt: number;
  readonly known: ReadonlySet<string>;
}

/**
 * Fetches the templates of portfolios, and the ratings of their numbers, from the platform. Templates created elsewhere
 * are added for every business number of the portfolio; changed and removed ones are updated. Only one process at a
 * time does this for a portfolio.
 */
export class TemplateSync {
  readonly #deps: SyncDeps;
  readonly #standings: Standings;
  readonly #runner: WorkRunner;
  /** Portfolios that have background work. */
  readonly #known = new Set<number>();
  /** Callers of `sync`, by portfolio. */
  readonly #waiters = new Map<number, PromiseWithResolvers<SyncResult>>();

  constructor(deps: SyncDeps) {
    this.#deps = deps;
    this.#standings = new Standings(deps);
    this.#runner = deps.work.register({
      kind: TEMPLATE_SYNC,
      owner: 'template fetches',
      places: 1,
      deadlineMs: DEADLINE_MS,
      retry: { pausesMs: pausesUpTo(deps.syncEveryMs) },
      step: (item, lease) => this.#step(item, lease),
    });
  }

  /** Fetches due portfolios until none is left, or `stop` is called. */
  run(): Promise<void> {
    return this.#runner.run();
  }

  /** Adds missing background work of portfolios. */
  async ensure(): Promise<void> {
    const { sql, numbers, work } = this.#deps;
    for (const { accountId, id } of await numbers.allPortfolios()) {
      if (this.#known.has(id)) continue;
      await work.ensure(sql, { accountId, kind: TEMPLATE_SYNC, key: id });
      this.#known.add(id);
    }
  }

  /** Ends `run`, and the wait for the platform's responses. */
  stop(): void {
    this.#runner.stop();
  }

  /**
   * Fetches the templates of a portfolio now. Throws Refusal: `not-now` if another fetch is running or the platform
   * refuses, `try-again` if it does not respond.
   */
  async sync({ accountId, id }: Portfolio): Promise<SyncResult> {
    const busy = new Refusal('not-now', 'the templates are being fetched already', undefined, {
      reason: 'templates-fetched',
    });
    const claimed = await this.#runner.claim(this.#deps.sql, accountId, id);
    if (!claimed) throw busy;
    const waiter = Promise.withResolvers<SyncResult>();
    waiter.promise.catch(() => {});
    this.#waiters.set(id, waiter);
    await this.#runner.perform(claimed);
    // Another process has fetched them.
    waiter.reject(busy);
    return waiter.promise;
  }

  /** Schedules a fetch of a portfolio's templates soon, also if one is running now. */
  async request({ accountId, id }: PortfolioKey): Promise<void> {
    const { sql, work } = this.#deps;
    await work.want(sql, { accountId, kind: TEMPLATE_SYNC, key: id });
  }

  async #step({ key: id }: WorkItem, lease: WorkLease): Promise<Outcome> {
    const waiter = this.#waiters.get(id);
    this.#waiters.delete(id);
    const portfolio = (await this.#deps.numbers.allPortfolios()).find((one) => one.id === id);
    if (!portfolio) return 'done';
    try {
      const result = await this.#perform(portfolio, lease);
      waiter?.resolve(result);
      return 'settled';
    } catch (error) {
      if (error instanceof WorkLost) throw error;
      waiter?.reject(error);
      if (lease.isInterrupted) throw new WorkLost();
      if (!(error instanceof Refusal)) throw error;
      this.#deps.log.warn({ err: error, portfolio: id }, 'templates could not be fetched');
      return { failed: error.message, afterMs: error instanceof Unanswered ? error.afterMs : undefined };
    }
  }

  async #perform(portfolio: Portfolio, lease: WorkLease): Promise<SyncResult> {
    const { sql, clock, numbers, platform, events, syncEveryMs } = this.#deps;
    const { accountId } = portfolio;
    // The fetch may be the result of a number that another process has added.
    await numbers.reload();
    const phones = (await numbers.list(accountId))
      .filter((number) => number.portfolioId === portfolio.id)
      .map(({ phone }) => phone);
    // Templates submitted from now on may be missing in the list.
    const before = await sql<{ id: string }[]>`
      SELECT DISTINCT platform_id AS id FROM chat_templates
      WHERE account_id = ${accountId} AND phone = ANY(${texts(phones)}::text[]) AND platform_id IS NOT NULL`;
    const listedAt = clock.now();
    const account = { accountId: portfolio.platformId, token: portfolio.accessToken };
    const { signal } = lease;
    const listed = await platform.listTemplates(account, signal);
    if (listed.outcome !== 'done') {
      if (lease.isInterrupted) throw new Refusal('try-again', 'the service is stopping, try again');
      if (listed.outcome === 'refused')
        throw new Refusal('not-now', `the platform refuses: ${listed.title}`, undefined, {
          reason: 'platform-refuses',
          params: { why: listed.title },
        });
      throw new Unanswered(listed.outcome === 'again' ? listed.afterMs : undefined);
    }
    const known = new Set(before.map(({ id }) => id));
    const stored = await sql.begin(async (tx) => {
      const list = { templates: listed.templates, listedAt, known };
      const { result, happened, isSettled } = await this.#store(tx, portfolio, phones, list);
      await events.record(tx, accountId, happened);
      await lease.later(tx, isSettled ? clock.now() + syncEveryMs : listedAt + UNSETTLED_MS);
      return result;
    });
    await this.#standings.refresh(portfolio, signal);
    return stored;
  }

  /** Updates our templates to match the platform's. */
  async #store(
    tx: TransactionSql,
    { accountId }: PortfolioKey,
    phones: readonly string[],
    { templates: listed, listedAt, known }: List,
  ): Promise<{ result: SyncResult; happened: Event[]; isSettled: boolean }> {
    const { ids } = this.#deps;
    const [rows, submissions] = await Promise.all([
      tx<Template[]>`
        ${columns(tx)} FROM chat_templates
        WHERE account_id = ${accountId} AND phone = ANY(${texts(phones)}::text[]) ORDER BY id FOR UPDATE`,
      tx<{ id: number; lease_until: number }[]>`
        SELECT s.id, coalesce(w.lease_until, 0) AS lease_until FROM chat_template_submissions s
        LEFT JOIN work w ON w.account_id = s.account_id AND w.kind = ${TEMPLATE_SUBMISSION} AND w.key = s.id
        WHERE s.account_id = ${accountId} AND s.uncertain`,
    ]);
    const leases = new Map(submissions.map(({ id, lease_until }) => [id, lease_until]));
    const leaseNow = leaseClock.now();
    const byPlatformId = new Map(rows.map((row) => [`${row.phone} ${row.platformId}`, row]));
    // Templates whose submission had an unknown result: the list shows whether the platform has accepted them.
    const waiting = new Map(
      rows
        .filter(({ id, platformId }) => platformId === null && leases.has(id))
        .map((row) => [`${row.phone} ${row.name} ${row.language}`, row]),
    );
    const unsupported = listed.filter((one) => one.unsupported.length > 0);
    const added: NewTemplate[] = [];
    const adopted: { readonly id: number; readonly platformId: string }[] = [];
    const rewritten: { readonly id: number; readonly content: Template['content'] }[] = [];
    const reports: StatusReport[] = [];
    const ratings: Parameters<typeof rate>[2][number][] = [];
    let isSettled = true;
    for (const phone of phones) {
      for (const one of listed) {
        let row = byPlatformId.get(`${phone} ${one.platformId}`);
        if (!row) {
          row = waiting.get(`${phone} ${one.name} ${one.language}`);
          // The template is being submitted now; the response shows whether this is the same one.
          if (row && leases.get(row.id)! >= leaseNow) {
            isSettled = false;
            continue;
          }
          if (row) adopted.push({ id: row.id, platformId: one.platformId });
        }
        const isSupported = one.unsupported.length === 0;
        if (row) {
          const content = storable(one.content);
          if (isSupported && !isDeepStrictEqual(content, row.content))
            rewritten.push({ id: row.id, content });
          const report = reportOf(row, one.status, listedAt);
          if (report) reports.push(report);
          if (one.quality !== row.quality)
            ratings.push({ template: row, quality: one.quality, at: listedAt });
        } else if (isSupported && one.status !== templateStatus.deleted) {
          added.push(newTemplate(ids.next(), accountId, phone, one, listedAt));
        }
      }
    }
    const there = new Set(listed.map(({ platformId }) => platformId));
    for (const row of rows) {
      if (row.platformId === null || there.has(row.platformId) || !known.has(row.platformId)) continue;
      const report = reportOf(row, templateStatus.deleted, listedAt);
      if (report) reports.push(report);
    }
    await adopt(tx, accountId, adopted);
    await rewrite(tx, accountId, rewritten);
    await insertTemplates(tx, ids, accountId, added);
    const happened = [
      ...(await setStatuses(tx, ids, accountId, reports)),
      ...(await rate(tx, accountId, ratings)),
    ];
    const result = {
      found: listed.length,
      added: added.length,
      changed: reports.length,
      unsupported: unsupported.map(({ name }) => storable(name)),
    };
    return { result, happened, isSettled };
  }
}

/** Returns the change that the list shows. It does not contain flags, and shows flagged templates as approved. */
function reportOf(
  template: Template,
  status: ListedTemplate['status'],
  at: number,
): StatusReport | undefined {
  const { flagged, unflagged, approved } = templateStatus;
  if (status === null || status === template.status) return undefined;
  if (status === approved && (template.status === flagged || template.status === unflagged)) return undefined;
  const report = { template, status, reason: '', at };
  return isChange(template, report) ? report : undefined;
}

function newTemplate(
  id: number,
  accountId: number,
  phone: string,
  { platformId, name, language, status, content }: ListedTemplate,
  at: number,
): NewTemplate {
  return {
    id,
    accountId,
    templateId: templateIdOf(phone, id),
    phone,
    name: storable(name),
    language: storable(language),
    category: content.category,
    content: storable(content),
    status: status ?? templateStatus.pending,
    statusAt: at,
    createdAt: at,
    platformId: storable(platformId),
  };
}

async function adopt(
  tx: TransactionSql,
  accountId: number,
  templates: readonly { readonly id: number; readonly platformId: string }[],
): Promise<void> {
  if (templates.length === 0) return;
  const rows = numberArray(templates.map(({ id }) => id));
  await tx`
    UPDATE chat_templates AS t SET platform_id = u.platform_id
    FROM unnest(${rows}::bigint[], ${texts(templates.map(({ platformId }) => platformId))}::text[])
      AS u (id, platform_id)
    WHERE t.account_id = ${accountId} AND t.id = u.id`;
  await withdrawSubmissions(
    tx,
    accountId,
    templates.map(({ id }) => id),
  );
}

/** Replaces the contents of templates. */
export async function rewrite(
  tx: TransactionSql,
  accountId: number,
  templates: readonly { readonly id: number; readonly content: Template['content'] }[],
): Promise<void> {
  if (templates.length === 0) return;
  await tx`
    UPDATE chat_templates AS t SET content = u.content::jsonb, category = u.category,
      next_category = CASE WHEN t.next_category <> u.category THEN t.next_category END,
      category_changes_at = CASE WHEN t.next_category <> u.category THEN t.category_changes_at END
    FROM unnest(
      ${numberArray(templates.map(({ id }) => id))}::bigint[],
      ${texts(templates.map(({ content }) => JSON.stringify(content)))}::text[],
      ${texts(templates.map(({ content }) => content.category))}::text[]
    ) AS u (id, content, category)
    WHERE t.account_id = ${accountId} AND t.id = u.id`;
}
