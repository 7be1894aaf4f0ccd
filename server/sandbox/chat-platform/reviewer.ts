import type { Clock } from '../../kit/clock.ts';
import { PlatformRefusal } from './errors.ts';
import type { Notifier } from './notifier.ts';
import type { SandboxPlatformBehaviour } from './options.ts';
import type { SandboxTemplate } from './prepared.ts';
import { approved, type ReviewStep, reviewOf } from './review.ts';
import type { TemplateStore } from './templates.ts';

/** Templates of a business account. */
export interface ReviewedAccount {
  readonly accountId: string;
  readonly templates: TemplateStore;
}

interface Planned {
  readonly account: ReviewedAccount;
  readonly templateId: string;
  readonly steps: readonly ReviewStep[];
  readonly dueAt: number;
}

interface ReviewerOptions {
  readonly clock: Clock;
  readonly notifier: Notifier;
  readonly behaviour: () => SandboxPlatformBehaviour;
  /** Called after every change, with all templates of the account. */
  readonly changed: (account: ReviewedAccount) => void;
}

/** Reviews templates, and reports the result. */
export class Reviewer {
  readonly #options: ReviewerOptions;
  #planned: Planned[] = [];
  readonly #qualities = new Map<string, string>();

  constructor(options: ReviewerOptions) {
    this.#options = options;
  }

  /** Time of the next step; Infinity when no review is planned. */
  get nextAt(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#planned.map(({ dueAt }) => dueAt));
  }

  /** Adds a template. Throws PlatformRefusal when its name and language are in use. */
  add(account: ReviewedAccount, template: SandboxTemplate): void {
    account.templates.add(template);
    this.#options.changed(account);
    this.#plan(account, template.id, reviewOf(template.name));
  }

  /** Replaces a template's components, and approves it after a review. */
  edit(account: ReviewedAccount, template: SandboxTemplate): void {
    this.#planned = this.#planned.filter(({ templateId }) => templateId !== template.id);
    account.templates.replace({ ...template, status: 'PENDING', rejected_reason: 'NONE' });
    this.#options.changed(account);
    this.#plan(account, template.id, [approved]);
  }

  /**
   * Deletes all templates with this name, or only the one with this id. Throws PlatformRefusal when no template
   * matches.
   */
  delete(account: ReviewedAccount, name: string, id: string | undefined): void {
    const gone = account.templates.delete(name, id);
    if (gone.length === 0) throw new PlatformRefusal(100, 'Message template was not found');
    this.#options.changed(account);
    for (const template of gone) {
      const item = { event: 'DELETED', ...namesOf(template), reason: 'NONE' };
      this.#tell(account, 'message_template_status_update', item);
    }
  }

  /** Performs the steps that are due at `now`. */
  work(now: number): void {
    const due = this.#planned.filter(({ dueAt }) => dueAt <= now);
    if (due.length === 0) return;
    this.#planned = this.#planned.filter(({ dueAt }) => dueAt > now);
    for (const { account, templateId, steps } of due) {
      this.report(account, templateId, steps[0]!);
      this.#plan(account, templateId, steps.slice(1));
    }
  }

  /** Sets a template's status immediately. Ignores a template that no longer exists. */
  report(account: ReviewedAccount, templateId: string, step: ReviewStep): void {
    const { event, reason, status, title } = step;
    const rejectedReason = status === 'REJECTED' ? reason : 'NONE';
    const template = account.templates.setStatus(templateId, status, rejectedReason);
    if (!template) return;
    this.#options.changed(account);
    this.#tell(account, 'message_template_status_update', {
      event,
      ...namesOf(template),
      message_template_category: template.category,
      reason,
      other_info: title === undefined ? undefined : { title, description: `The sandbox says ${title}.` },
    });
  }

  /** Returns the quality of a template that was last reported. */
  qualityOf(templateId: string): string {
    return this.#qualities.get(templateId) ?? 'UNKNOWN';
  }

  /** Reports a template's quality, in the platform's terms. */
  reportQuality(account: ReviewedAccount, templateId: string, previous: string, next: string): void {
    const template = account.templates.get(templateId);
    if (!template) return;
    this.#qualities.set(templateId, next);
    const item = { previous_quality_score: previous, new_quality_score: next, ...namesOf(template) };
    this.#tell(account, 'message_template_quality_update', item);
  }

  #plan(account: ReviewedAccount, templateId: string, steps: readonly ReviewStep[]): void {
    const [next] = steps;
    if (!next || !account.templates.get(templateId)) return;
    const after = next.afterMs ?? this.#options.behaviour().reviewDelayMs;
    this.#planned.push({ account, templateId, steps, dueAt: this.#options.clock.now() + after });
  }

  #tell(
    { accountId }: ReviewedAccount,
    field: 'message_template_status_update' | 'message_template_quality_update',
    item: object,
  ): void {
    const time = Math.floor(this.#options.clock.now() / 1_000);
    this.#options.notifier.tell({ field, accountId, time, item });
  }
}

const namesOf = ({ id, name, language }: SandboxTemplate) => ({
  message_template_id: Number(id),
  message_template_name: name,
  message_template_language: language,
});
