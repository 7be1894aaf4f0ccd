import { numbers, texts } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Event } from '../../engine/events/types.ts';
import type { IdSource } from '../../kit/ids.ts';
import { type TemplateStatus, templateStatus } from '../../protocols/chat-platform/template-status.ts';
import type { TemplateCategory, TemplateContent } from '../../protocols/chat-platform/templates.ts';

/** A template of a business number. */
export interface Template {
  readonly id: number;
  readonly accountId: number;
  /** Its id in the interface: `<number>_<business phone>_<suffix>`. */
  readonly templateId: string;
  /** The business number, E.164 digits. */
  readonly phone: string;
  readonly name: string;
  /** The platform's code (`languageNumber` returns that of the interface). */
  readonly language: string;
  readonly category: TemplateCategory;
  readonly content: TemplateContent;
  readonly status: TemplateStatus;
  /** The platform's word for the reason; empty for none. */
  readonly statusReason: string;
  /** Time of its status, and of its creation or discovery here; milliseconds since the epoch. */
  readonly statusAt: number;
  readonly createdAt: number;
  /** Its id on the platform; null before the platform has accepted it. */
  readonly platformId: string | null;
  /** The platform's rating by reports of recipients: `GREEN`, `YELLOW`, `RED`, `UNKNOWN`; and its time, 0 for never. */
  readonly quality: string;
  readonly qualityToldAt: number;
  /**
   * The announced category, and its time (milliseconds since the epoch); null if none is announced, or the time is
   * unknown.
   */
  readonly nextCategory: string | null;
  readonly categoryChangesAt: number | null;
}

/** A past status of a template. */
export interface PastStatus {
  readonly status: TemplateStatus;
  readonly reason: string;
  readonly at: number;
}

/** A status of a template, as reported by the platform. */
export interface StatusReport extends PastStatus {
  readonly template: Template;
}

/** Interface, "Template status" 6. */
const PAUSE_MS = 6 * 3_600_000;

/**
 * Whether a template can be sent at `now` (milliseconds since the epoch): approved, flagged, unflagged, or paused at
 * least six hours ago (decisions, section 2).
 */
export function isUsable({ status, statusAt }: Pick<Template, 'status' | 'statusAt'>, now: number): boolean {
  switch (status) {
    case templateStatus.approved:
    case templateStatus.flagged:
    case templateStatus.unflagged:
      return true;
    case templateStatus.paused:
      return now >= statusAt + PAUSE_MS;
    default:
      return false;
  }
}

/**
 * Whether the platform permits changes of a template: it must have been submitted and reviewed, and not be banned
 * (docs/chat.md, "Changing and deleting").
 */
export function isEditable({ status, platformId }: Pick<Template, 'status' | 'platformId'>): boolean {
  const { pending, disabled, deleted } = templateStatus;
  return platformId !== null && status !== pending && status !== disabled && status !== deleted;
}

/** The columns of a Template; must be followed by FROM chat_templates. */
export const columns = (sql: Queryable) => sql`
  SELECT id, account_id AS "accountId", template_id AS "templateId", phone, name, language, category, content, status,
    status_reason AS "statusReason", status_at AS "statusAt", created_at AS "createdAt", platform_id AS "platformId",
    quality, quality_told_at AS "qualityToldAt", next_category AS "nextCategory",
    category_changes_at AS "categoryChangesAt"`;

/**
 * Returns the interface's id of a template that is created or discovered here. The first part is the same for all of
 * them, the last one is derived from the row's id.
 */
export function templateIdOf(phone: string, rowId: number): string {
  return `1_${phone}_${rowId.toString(36)}`;
}

/**
 * The platform's times are whole seconds. If two statuses have the same second, the one with the higher rank is the
 * later.
 */
const ranks: Readonly<Record<TemplateStatus, number>> = {
  [templateStatus.pending]: 0,
  [templateStatus.approved]: 1,
  [templateStatus.wrongFormat]: 1,
  [templateStatus.againstPolicy]: 1,
  [templateStatus.spam]: 1,
  [templateStatus.rejected]: 1,
  [templateStatus.flagged]: 2,
  [templateStatus.unflagged]: 3,
  [templateStatus.paused]: 4,
  [templateStatus.disabled]: 5,
  [templateStatus.deleted]: 6,
};

const second = (at: number) => Math.floor(at / 1_000);

/** Compares statuses by time: negative if `one` was before `other`. */
export function compareStatuses(one: PastStatus, other: PastStatus): number {
  return second(one.at) - second(other.at) || ranks[one.status] - ranks[other.status];
}

/**
 * Whether a report of the platform is newer than the status of the template. For a template in its initial state every
 * report is, because the platform's clock may be behind ours.
 */
export function isChange(template: Template, report: PastStatus): boolean {
  const { status, statusReason, statusAt, createdAt } = template;
  if (report.status === status) {
    // A second pause lasts another six hours.
    return status === templateStatus.paused && second(report.at) > second(statusAt);
  }
  if (status === templateStatus.pending && statusAt === createdAt) return true;
  return compareStatuses({ status, reason: statusReason, at: statusAt }, report) <= 0;
}

/**
 * Returns templates of an account, locked until the transaction ends: the one with this row, or those with this id on
 * the platform.
 */
export function lockTemplates(
  tx: TransactionSql,
  accountId: number,
  which: { readonly id: number } | { readonly platformId: string },
): Promise<Template[]> {
  return tx<Template[]>`
    ${columns(tx)} FROM chat_templates
    WHERE account_id = ${accountId}
      AND ${'id' in which ? tx`id = ${which.id}` : tx`platform_id = ${which.platformId}`}
    ORDER BY id FOR UPDATE`;
}

/** Returns the current status of a template. */
export const statusNow = ({ status, statusReason, statusAt }: Template): PastStatus => ({
  status,
  reason: statusReason,
  at: statusAt,
});

/** Returns the histories of templates, by row. */
export async function pastOf(
  tx: TransactionSql,
  accountId: number,
  templates: readonly Template[],
): Promise<Map<number, PastStatus[]>> {
  const rows = await tx<(PastStatus & { template_id: number })[]>`
    SELECT template_id, status, reason, at FROM chat_template_statuses
    WHERE account_id = ${accountId} AND template_id = ANY(${numbers(templates.map(({ id }) => id))}::bigint[])`;
  return Map.groupBy(rows, ({ template_id }) => template_id);
}

/** Stores new statuses of templates, and adds them to the history. Returns the events to record. */
export async function setStatuses(
  tx: TransactionSql,
  ids: IdSource,
  accountId: number,
  reports: readonly StatusReport[],
): Promise<Event[]> {
  if (reports.length === 0) return [];
  await Promise.all([
    tx`
      UPDATE chat_templates AS t SET status = u.status, status_reason = u.reason, status_at = u.at
      FROM unnest(
        ${numbers(reports.map(({ template }) => template.id))}::bigint[],
        ${numbers(reports.map(({ status }) => status))}::smallint[],
        ${texts(reports.map(({ reason }) => reason))}::text[],
        ${numbers(reports.map(({ at }) => at))}::bigint[]
      ) AS u (id, status, reason, at)
      WHERE t.account_id = ${accountId} AND t.id = u.id`,
    addHistory(tx, ids, accountId, reports),
  ]);
  return reports.map(
    ({ template: { templateId, name, language }, status, reason, at }): Event => ({
      type: 'template.status',
      at,
      data: { template_id: templateId, name, language, status, reason },
    }),
  );
}

/** Adds statuses to the history only. */
export async function addHistory(
  tx: TransactionSql,
  ids: IdSource,
  accountId: number,
  reports: readonly { readonly template: Pick<Template, 'id'>; status: number; reason: string; at: number }[],
): Promise<void> {
  await tx`
    INSERT INTO chat_template_statuses (account_id, id, template_id, status, reason, at)
    SELECT w.account_id, u.id, u.template_id, u.status, u.reason, u.at
    FROM wallets w, unnest(
      ${numbers(reports.map(() => ids.next()))}::bigint[],
      ${numbers(reports.map(({ template }) => template.id))}::bigint[],
      ${numbers(reports.map(({ status }) => status))}::smallint[],
      ${texts(reports.map(({ reason }) => reason))}::text[],
      ${numbers(reports.map(({ at }) => at))}::bigint[]
    ) AS u (id, template_id, status, reason, at)
    WHERE w.account_id = ${accountId}`;
}

export type NewTemplate = Omit<
  Template,
  'statusReason' | 'quality' | 'qualityToldAt' | 'nextCategory' | 'categoryChangesAt'
> & { readonly statusReason?: string };

/**
 * Inserts templates of one account with the first status of their history. Returns the ids of those that did not exist.
 */
export async function insertTemplates(
  tx: TransactionSql,
  ids: IdSource,
  accountId: number,
  templates: readonly NewTemplate[],
): Promise<number[]> {
  if (templates.length === 0) return [];
  const rows = await tx<{ id: number }[]>`
    INSERT INTO chat_templates (account_id, id, template_id, phone, name, language, category, content, status,
      status_reason, status_at, created_at, platform_id)
    SELECT w.account_id, u.id, u.template_id, u.phone, u.name, u.language, u.category, u.content::jsonb, u.status,
      u.reason, u.status_at, u.created_at, u.platform_id
    FROM wallets w, unnest(
      ${numbers(templates.map(({ id }) => id))}::bigint[],
      ${texts(templates.map(({ templateId }) => templateId))}::text[],
      ${texts(templates.map(({ phone }) => phone))}::text[],
      ${texts(templates.map(({ name }) => name))}::text[],
      ${texts(templates.map(({ language }) => language))}::text[],
      ${texts(templates.map(({ category }) => category))}::text[],
      ${texts(templates.map(({ content }) => JSON.stringify(content)))}::text[],
      ${numbers(templates.map(({ status }) => status))}::smallint[],
      ${texts(templates.map(({ statusReason }) => statusReason ?? ''))}::text[],
      ${numbers(templates.map(({ statusAt }) => statusAt))}::bigint[],
      ${numbers(templates.map(({ createdAt }) => createdAt))}::bigint[],
      ${texts(templates.map(({ platformId }) => platformId))}::text[]
    ) AS u (id, template_id, phone, name, language, category, content, status, reason, status_at, created_at, platform_id)
    WHERE w.account_id = ${accountId}
    ON CONFLICT ON CONSTRAINT chat_templates_template_key DO NOTHING
    RETURNING id`;
  const made = new Set(rows.map(({ id }) => id));
  const first = templates
    .filter(({ id }) => made.has(id))
    .map((template) => ({
      template,
      status: template.status,
      reason: template.statusReason ?? '',
      at: template.statusAt,
    }));
  if (first.length > 0) await addHistory(tx, ids, accountId, first);
  return [...made];
}

/** Makes a value of the platform storable: PostgreSQL rejects NUL in texts, and JSON lone surrogates. */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T;
  if (Array.isArray(value)) return value.map(storable) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, storable(each)])) as T;
}
