import { numbers, texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import type { Events } from '../../engine/events/events.ts';
import type { Event } from '../../engine/events/types.ts';
import type { Context } from '../../kit/context.ts';
import type { TemplateCategoryFact, TemplateQualityFact } from '../../protocols/chat-platform/facts.ts';
import { lockTemplates, storable, type Template } from './template-rows.ts';

interface NoticeDeps extends Pick<Context, 'sql'> {
  readonly events: Pick<Events, 'record'>;
}

/** A rating of a template that the platform reported at `at` (milliseconds since the epoch). */
interface Rating {
  readonly template: Pick<Template, 'id' | 'templateId' | 'name' | 'language' | 'quality' | 'qualityToldAt'>;
  readonly quality: string;
  readonly at: number;
}

/**
 * Stores ratings that are newer than those of the templates, which the transaction has locked. Returns the events to
 * record.
 */
export async function rate(
  tx: TransactionSql,
  accountId: number,
  ratings: readonly Rating[],
): Promise<Event[]> {
  const later = ratings.filter(({ template, at }) => at > template.qualityToldAt);
  if (later.length === 0) return [];
  await tx`
    UPDATE chat_templates AS t SET quality = u.quality, quality_told_at = u.at
    FROM unnest(
      ${numbers(later.map(({ template }) => template.id))}::bigint[],
      ${texts(later.map(({ quality }) => quality))}::text[],
      ${numbers(later.map(({ at }) => at))}::bigint[]
    ) AS u (id, quality, at)
    WHERE t.account_id = ${accountId} AND t.id = u.id`;
  return later
    .filter(({ template, quality }) => quality !== template.quality)
    .map(({ template: { templateId, name, language, quality: before }, quality, at }) => ({
      type: 'template.quality',
      at,
      data: { template_id: templateId, name, language, quality, previous_quality: before },
    }));
}

/** Stores the platform's rating of a template, which may be repeated or out of order. Resolves when it is stored. */
export async function applyQuality(
  { sql, events }: NoticeDeps,
  accountId: number,
  { templateId, quality, at }: TemplateQualityFact,
): Promise<void> {
  await sql.begin(async (tx) => {
    const found = await lockTemplates(tx, accountId, { platformId: storable(templateId) });
    const happened = await rate(
      tx,
      accountId,
      found.map((template) => ({ template, quality, at })),
    );
    await events.record(tx, accountId, happened);
  });
}

/**
 * Stores a notice of the platform about the category of a template, which may be repeated or out of order. Only a
 * future category is stored; the current one comes with the list of templates. Resolves when it is stored.
 */
export async function applyCategory(
  { sql, events }: NoticeDeps,
  accountId: number,
  { templateId, category, next, changesAt, at }: TemplateCategoryFact,
): Promise<void> {
  const nextCategory = next === '' || next === category ? null : storable(next);
  const when = nextCategory === null ? null : changesAt;
  await sql.begin(async (tx) => {
    const found = await tx<{ template_id: string; name: string; language: string; category: string }[]>`
      UPDATE chat_templates SET next_category = ${nextCategory}, category_changes_at = ${when}, category_told_at = ${at}
      WHERE account_id = ${accountId} AND platform_id = ${storable(templateId)} AND category_told_at < ${at}
      RETURNING template_id, name, language, category`;
    const happened = found.map(
      (template): Event => ({
        type: 'template.category',
        at,
        data: {
          template_id: template.template_id,
          name: template.name,
          language: template.language,
          category: storable(category) || template.category,
          next_category: nextCategory,
          changes_at: when === null ? null : new Date(when).toISOString(),
        },
      }),
    );
    await events.record(tx, accountId, happened);
  });
}
