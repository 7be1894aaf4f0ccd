/** Template status codes of the interface ("Template status"). Code 8 does not exist. */
export const templateStatus = {
  pending: 0,
  approved: 1,
  wrongFormat: 2,
  againstPolicy: 3,
  spam: 4,
  rejected: 5,
  paused: 6,
  disabled: 7,
  deleted: 9,
  flagged: 10,
  unflagged: 11,
} as const;

export type TemplateStatus = (typeof templateStatus)[keyof typeof templateStatus];

/** Keyed by the event of a webhook, or by the status in the template list. Null leaves the status unchanged. */
const byEvent: Readonly<Record<string, TemplateStatus | null>> = {
  PENDING: templateStatus.pending,
  IN_APPEAL: templateStatus.pending,
  APPROVED: templateStatus.approved,
  PAUSED: templateStatus.paused,
  DISABLED: templateStatus.disabled,
  DELETED: templateStatus.deleted,
  PENDING_DELETION: templateStatus.deleted,
  // Unused for a year: the platform deletes it in 28 days, and it cannot be sent unless it is restored.
  ARCHIVED: templateStatus.deleted,
  FLAGGED: templateStatus.flagged,
  REINSTATED: templateStatus.unflagged,
  // The template returns to its status before it was archived; only the list tells which one that was.
  UNARCHIVED: null,
  // These events concern changing the template or creating more of them.
  LOCKED: null,
  UNLOCKED: null,
  LIMIT_EXCEEDED: null,
};

/** Status by the reason of a rejection. The platform has no keyword for spam; fraud is the nearest. */
const byRejection: Readonly<Record<string, TemplateStatus>> = {
  INVALID_FORMAT: templateStatus.wrongFormat,
  INCORRECT_CATEGORY: templateStatus.wrongFormat,
  TAG_CONTENT_MISMATCH: templateStatus.wrongFormat,
  CATEGORY_NOT_AVAILABLE: templateStatus.wrongFormat,
  ABUSIVE_CONTENT: templateStatus.againstPolicy,
  PROMOTIONAL: templateStatus.againstPolicy,
  SCAM: templateStatus.spam,
};

/**
 * Returns the status code for a review event (or a status of the template list) and its reason; null when it does not
 * change the status code, or is unknown.
 */
export function templateStatusOf(event: string, reason: string): TemplateStatus | null {
  if (event === 'REJECTED') {
    return Object.hasOwn(byRejection, reason) ? byRejection[reason]! : templateStatus.rejected;
  }
  return Object.hasOwn(byEvent, event) ? byEvent[event]! : null;
}
