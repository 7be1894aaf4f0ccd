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

/** By the event of a webhook, or the status in the template list. Null leaves the status as it was. */
const byEvent: Readonly<Record<string, TemplateStatus | null>> = {
  PENDING: templateStatus.pending,
  IN_APPEAL: templateStatus.pending,
  APPROVED: templateStatus.approved,
  PAUSED: templateStatus.paused,
  DISABLED: templateStatus.disabled,
  DELETED: templateStatus.deleted,
  PENDING_DELETION: templateStatus.deleted,
  // Not used for a year; deleted in 28 days, and not to be sent until it is taken back.
  ARCHIVED: templateStatus.deleted,
  FLAGGED: templateStatus.flagged,
  REINSTATED: templateStatus.unflagged,
  // Back to what it was before it was archived, which only the list tells.
  UNARCHIVED: null,
  // These are about changing the template or having more of them.
  LOCKED: null,
  UNLOCKED: null,
  LIMIT_EXCEEDED: null,
};

/** Why a template was rejected. The platform has no word for spam; a fraud is nearest to it. */
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
 * The status code for a review event (or a status of the template list) and the reason given with it; null when it
 * changes nothing that the code tells, or is not known.
 */
export function templateStatusOf(event: string, reason: string): TemplateStatus | null {
  if (event === 'REJECTED') {
    return Object.hasOwn(byRejection, reason) ? byRejection[reason]! : templateStatus.rejected;
  }
  return Object.hasOwn(byEvent, event) ? byEvent[event]! : null;
}
