import { isDeepStrictEqual } from 'node:util';
import { templateStatus } from '../../carriers/chat-platform/template-status.ts';
import type { ListedTemplate } from '../../carriers/chat-platform/templates.ts';
import { numbers as numberArray, texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { newClaim } from '../../database/leases.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import { Refusal } from '../../errors.ts';
import type { Event } from '../../events/types.ts';
import type { Portfolio } from './numbers.ts';
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
import type { SubmissionDeps } from './template-submissions.ts';

const LEASE_MS = 300_000;
const MARGIN_MS = 30_000;
const FIRST_PAUSE_MS = 60_000;
/** When the list is looked at again after one that had a template which was just being submitted. */
const UNSETTLED_MS = 5_000;

export interface SyncDeps
  extends Pick<
    SubmissionDeps,
    'sql' | 'ids' | 'clock' | 'log' | 'events' | 'numbers' | 'platform' | 'owner'
  > {
  /** How often each portfolio's templates are fetched, in milliseconds. */
  readonly syncEveryMs: number;
}

/** What fetching a portfolio's templates came to; a template counts once for each business number. */
export interface SyncResult {
  /** On the platform. */
  readonly found: number;
  readonly added: number;
  /** Have another status now, those that are gone included. */
  readonly changed: number;
  /** Names of those that this service cannot send, which are left out. */
  readonly unsupported: readonly string[];
}

/** Another process is at it now. */
class SyncLost extends Error {}

type PortfolioKey = Pick<Portfolio, 'id' | 'accountId'>;

/** What the platform has, when it was asked, and the platform's ids that we knew of before. */
interface List {
  readonly templates: readonly ListedTemplate[];
  readonly listedAt: number;
  readonly known: ReadonlySet<string>;
}

/**
 * Fetches the templates of portfolios from the platform, and how it rates their numbers: those made elsewhere become ours, for every business number of
 * the portfolio, and what has changed or is gone is noticed. One process at a time does it for a portfolio.
 */
export class TemplateSync {
  readonly #deps: SyncDeps;
  readonly #stopped = new AbortController();
  readonly #standings: Standings;

  constructor(deps: SyncDeps) {
    this.#deps = deps;
    this.#standings = new Standings(deps);
  }

  /** Fetches those that are due, until none is, or `stop` is called. */
  async run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const due = await this.#claimDue();
      if (!due) return;
      try {
        await this.#perform(due.portfolio, due.claim);
      } catch (error) {
        if (isDatabaseTrouble(error)) throw error;
        if (error instanceof SyncLost) continue;
        const known = error instanceof Refusal;
        // The platform was not heard to the end.
        if (known && this.#stopped.signal.aborted) return;
        this.#deps.log[known ? 'warn' : 'error'](
          { err: error, portfolio: due.portfolio.id },
          'templates could not be fetched',
        );
        // After a fault of ours the lease is the pause.
        if (!known) return;
      }
    }
  }

  /** Ends `run`, and the wait for the platform's answers. */
  stop(): void {
    this.#stopped.abort();
  }

  /**
   * Fetches the templates of a portfolio now. Throws Refusal: `not-now` when another fetch is under way or the platform
   * refuses, `try-again` when it does not answer.
   */
  async sync(portfolio: Portfolio): Promise<SyncResult> {
    const claim = await this.#claim(portfolio, false);
    const busy = new Refusal('not-now', 'the templates are being fetched already');
    if (claim === undefined) throw busy;
    try {
      return await this.#perform(portfolio, claim);
    } catch (error) {
      throw error instanceof SyncLost ? busy : error;
    }
  }

  /** Lets the templates of a portfolio be fetched soon, also when they are being fetched now. */
  async request({ accountId, id }: PortfolioKey): Promise<void> {
    await this.#deps.sql`
      INSERT INTO chat_template_syncs (account_id, portfolio_id, due_at, failures, lease_until)
      VALUES (${accountId}, ${id}, 0, 0, 0)
      ON CONFLICT ON CONSTRAINT chat_template_syncs_pkey DO UPDATE SET due_at = excluded.due_at`;
  }

  async #claimDue(): Promise<{ portfolio: Portfolio; claim: string } | undefined> {
    const { sql, clock, numbers } = this.#deps;
    const portfolios = await numbers.allPortfolios();
    if (portfolios.length === 0) return undefined;
    const rows = await sql<{ portfolio_id: number; is_due: boolean }[]>`
      SELECT portfolio_id, (due_at <= ${clock.now()} OR lease_owner IS NOT NULL) AND lease_until < ${leaseClock.now()} AS is_due
      FROM chat_template_syncs`;
    const isDue = new Map(rows.map((row) => [row.portfolio_id, row.is_due]));
    for (const portfolio of portfolios) {
      if (isDue.get(portfolio.id) === false) continue;
      const claim = await this.#claim(portfolio, true);
      if (claim !== undefined) return { portfolio, claim };
    }
    return undefined;
  }

  /** Leases a portfolio, and sets when it is due next. A request during the fetch makes it due earlier. */
  async #claim({ accountId, id }: PortfolioKey, onlyDue: boolean): Promise<string | undefined> {
    const { sql, clock, owner, syncEveryMs } = this.#deps;
    const leaseNow = leaseClock.now();
    const claim = newClaim(owner);
    const dueBy = onlyDue ? clock.now() : Number.MAX_SAFE_INTEGER;
    const rows = await sql`
      INSERT INTO chat_template_syncs AS s (account_id, portfolio_id, due_at, failures, lease_owner, lease_until)
      VALUES (${accountId}, ${id}, ${clock.now() + syncEveryMs}, 0, ${claim}, ${leaseNow + LEASE_MS})
      ON CONFLICT ON CONSTRAINT chat_template_syncs_pkey DO UPDATE
        SET due_at = excluded.due_at, lease_owner = excluded.lease_owner, lease_until = excluded.lease_until
        WHERE s.lease_until < ${leaseNow} AND (s.due_at <= ${dueBy} OR s.lease_owner IS NOT NULL)
      RETURNING portfolio_id`;
    return rows.length === 1 ? claim : undefined;
  }

  async #perform(portfolio: Portfolio, claim: string): Promise<SyncResult> {
    const { sql, clock, numbers, platform, events } = this.#deps;
    const { accountId } = portfolio;
    // A number that was added by another process may be why this is done.
    await numbers.reload();
    const phones = (await numbers.list(accountId))
      .filter((number) => number.portfolioId === portfolio.id)
      .map(({ phone }) => phone);
    // What is submitted from now on may be missing in the list.
    const before = await sql<{ id: string }[]>`
      SELECT DISTINCT platform_id AS id FROM chat_templates
      WHERE account_id = ${accountId} AND phone = ANY(${texts(phones)}::text[]) AND platform_id IS NOT NULL`;
    const listedAt = clock.now();
    const account = { accountId: portfolio.platformId, token: portfolio.accessToken };
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(LEASE_MS - MARGIN_MS)]);
    const listed = await platform.listTemplates(account, signal);
    if (listed.outcome !== 'done') {
      if (this.#stopped.signal.aborted) {
        await this.#giveBack(portfolio, claim);
        throw new Refusal('try-again', 'the service is stopping, try again');
      }
      const afterMs = listed.outcome === 'again' ? listed.afterMs : undefined;
      await this.#failed(portfolio, claim, afterMs);
      if (listed.outcome === 'refused') throw new Refusal('not-now', `the platform refuses: ${listed.title}`);
      throw new Refusal('try-again', 'the platform does not answer, try again');
    }
    const known = new Set(before.map(({ id }) => id));
    const stored = await sql.begin(async (tx) => {
      const [lease] = await tx`
        UPDATE chat_template_syncs SET failures = 0, lease_owner = NULL, lease_until = 0
        WHERE account_id = ${accountId} AND portfolio_id = ${portfolio.id} AND lease_owner = ${claim}
        RETURNING portfolio_id`;
      if (!lease) throw new SyncLost();
      const list = { templates: listed.templates, listedAt, known };
      const { result, happened } = await this.#store(tx, portfolio, phones, list);
      await events.record(tx, accountId, happened);
      return result;
    });
    await this.#standings.refresh(portfolio, signal);
    return stored;
  }

  /** Ends the lease of a fetch that was stopped, without an outcome, so that another process can claim it. */
  async #giveBack({ accountId, id }: PortfolioKey, claim: string): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`
      UPDATE chat_template_syncs SET due_at = ${clock.now()}, lease_owner = NULL, lease_until = 0
      WHERE account_id = ${accountId} AND portfolio_id = ${id} AND lease_owner = ${claim}`;
  }

  async #failed({ accountId, id }: PortfolioKey, claim: string, afterMs = 0): Promise<void> {
    const { sql, clock, syncEveryMs } = this.#deps;
    await sql.begin(async (tx) => {
      const [row] = await tx<{ failures: number; due_at: number }[]>`
        SELECT failures, due_at FROM chat_template_syncs
        WHERE account_id = ${accountId} AND portfolio_id = ${id} AND lease_owner = ${claim}
        FOR UPDATE`;
      if (!row) return;
      const pause = Math.max(Math.min(FIRST_PAUSE_MS * 2 ** row.failures, syncEveryMs), afterMs);
      await tx`
        UPDATE chat_template_syncs
        SET failures = failures + 1, due_at = ${clock.now() + pause}, lease_owner = NULL, lease_until = 0
        WHERE account_id = ${accountId} AND portfolio_id = ${id}`;
    });
  }

  /** Brings our templates up to the platform's. */
  async #store(
    tx: TransactionSql,
    { id: portfolioId, accountId }: PortfolioKey,
    phones: readonly string[],
    { templates: listed, listedAt, known }: List,
  ): Promise<{ result: SyncResult; happened: Event[] }> {
    const { ids } = this.#deps;
    const [rows, submissions] = await Promise.all([
      tx<Template[]>`
        ${columns(tx)} FROM chat_templates
        WHERE account_id = ${accountId} AND phone = ANY(${texts(phones)}::text[]) ORDER BY id FOR UPDATE`,
      tx<{ id: number; lease_until: number }[]>`
        SELECT id, lease_until FROM chat_template_submissions WHERE account_id = ${accountId} AND uncertain`,
    ]);
    const leases = new Map(submissions.map(({ id, lease_until }) => [id, lease_until]));
    const leaseNow = leaseClock.now();
    const byPlatformId = new Map(rows.map((row) => [`${row.phone} ${row.platformId}`, row]));
    // Of these we do not know whether the platform has taken them: now we do.
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
    let unsettled = false;
    for (const phone of phones) {
      for (const one of listed) {
        let row = byPlatformId.get(`${phone} ${one.platformId}`);
        if (!row) {
          row = waiting.get(`${phone} ${one.name} ${one.language}`);
          // It is being submitted just now: the answer to that tells whether this is the same.
          if (row && leases.get(row.id)! >= leaseNow) {
            unsettled = true;
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
    if (unsettled) {
      await tx`
        UPDATE chat_template_syncs SET due_at = least(due_at, ${listedAt + UNSETTLED_MS})
        WHERE account_id = ${accountId} AND portfolio_id = ${portfolioId}`;
    }
    const result = {
      found: listed.length,
      added: added.length,
      changed: reports.length,
      unsupported: unsupported.map(({ name }) => storable(name)),
    };
    return { result, happened };
  }
}

/** What the list says that is a change: it knows no flags, and calls what is flagged approved. */
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
  await tx`
    DELETE FROM chat_template_submissions WHERE account_id = ${accountId} AND id = ANY(${rows}::bigint[])`;
}

/** Gives templates other contents. */
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
