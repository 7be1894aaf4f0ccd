import { type TemplateStatus, templateStatus } from '../../carriers/chat-platform/template-status.ts';
import type { TemplateCategory, TemplateContent } from '../../carriers/chat-platform/templates.ts';
import { numbers, texts } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Event } from '../../events/types.ts';
import type { IdSource } from '../../ids.ts';

/** A template of a business number. */
export interface Template {
  readonly id: number;
  readonly accountId: number;
  /** Its id in the interface: `<number>_<business phone>_<suffix>`. */
  readonly templateId: string;
  /** The business number, E.164 digits. */
  readonly phone: string;
  readonly name: string;
  /** The platform's code (`languageNumber` gives that of the interface). */
  readonly language: string;
  readonly category: TemplateCategory;
  readonly content: TemplateContent;
  readonly status: TemplateStatus;
  /** The platform's word for why; empty for none. */
  readonly statusReason: string;
  /** Since when it has the status, and when it was made or found here; milliseconds since the epoch. */
  readonly statusAt: number;
  readonly createdAt: number;
  /** Its id on the platform; null until the platform has it. */
  readonly platformId: string | null;
  /** The platform's rating by what recipients report: `GREEN`, `YELLOW`, `RED`, `UNKNOWN`; when it was told, 0 for never. */
  readonly quality: string;
  readonly qualityToldAt: number;
  /** The category that the platform is to give it, and from when (milliseconds); null for none and not told. */
  readonly nextCategory: string | null;
  readonly categoryChangesAt: number | null;
}

/** A status that a template had. */
export interface PastStatus {
  readonly status: TemplateStatus;
  readonly reason: string;
  readonly at: number;
}

/** A status of a template, as the platform tells it. */
export interface StatusReport extends PastStatus {
  readonly template: Template;
}

/** Interface, "Template status" 6. */
const PAUSE_MS = 6 * 3_600_000;

/**
 * Whether a template can be sent at `now` (milliseconds): approved, flagged, not flagged any more, or paused six hours
 * ago (decisions, section 2).
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
 * Whether the platform lets a template be changed: one that it has and has reviewed, and not banned (docs/chat.md,
 * "Changing and deleting").
 */
export function isEditable({ status, platformId }: Pick<Template, 'status' | 'platformId'>): boolean {
  const { pending, disabled, deleted } = templateStatus;
  return platformId !== null && status !== pending && status !== disabled && status !== deleted;
}

/** The columns of a Template; to be followed by FROM chat_templates. */
export const columns = (sql: Queryable) => sql`
  SELECT id, account_id AS "accountId", template_id AS "templateId", phone, name, language, category, content, status,
    status_reason AS "statusReason", status_at AS "statusAt", created_at AS "createdAt", platform_id AS "platformId",
    quality, quality_told_at AS "qualityToldAt", next_category AS "nextCategory",
    category_changes_at AS "categoryChangesAt"`;

/**
 * The id in the interface of a template that is made or found here. The first part is that of all of them, the last is
 * made of the row's id.
 */
export function templateIdOf(phone: string, rowId: number): string {
  return `1_${phone}_${rowId.toString(36)}`;
}

/** Of two statuses of one second, which is as exact as the platform is, the one with the higher rank is the later. */
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

/** The order of statuses in time: negative when `one` was before `other`. */
export function compareStatuses(one: PastStatus, other: PastStatus): number {
  return second(one.at) - second(other.at) || ranks[one.status] - ranks[other.status];
}

/**
 * Whether what the platform tells comes after the status that the template has. What it tells of a template that is as it
 * was made here does in any case: its clock may be behind ours.
 */
export function isChange(template: Template, report: PastStatus): boolean {
  const { status, statusReason, statusAt, createdAt } = template;
  if (report.status === status) {
    // A second pause holds for six hours of its own.
    return status === templateStatus.paused && second(report.at) > second(statusAt);
  }
  if (status === templateStatus.pending && statusAt === createdAt) return true;
  return compareStatuses({ status, reason: statusReason, at: statusAt }, report) <= 0;
}

/** Templates of an account, locked until the transaction ends: the one with this row, or those with this id on the platform. */
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

/** The status that a template has now. */
export const statusNow = ({ status, statusReason, statusAt }: Template): PastStatus => ({
  status,
  reason: statusReason,
  at: statusAt,
});

/** The histories of templates, by row. */
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

/** Writes statuses that have become those of their templates, and into their history; returns what is to be recorded. */
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

/** Writes statuses into the history alone. */
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

/** Inserts templates of one account with the first status of their history; returns the ids of those that were not there. */
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

/** What the platform says, as it can be stored: PostgreSQL has no NUL in texts, and JSON no half of a pair. */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T;
  if (Array.isArray(value)) return value.map(storable) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, storable(each)])) as T;
}
