/** Delivery statuses of reports and pushes (decisions, "Delivery statuses"). */
export const status = {
  sent: -1,
  failed: 1,
  timeout: 2,
  failedInNetwork: 4,
  voiceFailed: 6,
  noCredit: 7,
  notAtThisHour: 16,
  notLegal: 18,
  undelivered: 101,
  delivered: 102,
  expired: 103,
  deleted: 104,
  unknown: 105,
  rejected: 108,
  blockedOnRequest: 201,
  outOfCoverage: 747,
  noPermission: 998,
  unknownError: 999,
} as const;

/** Code of a cancelled message, in place of a carrier status. */
export const CANCELLED = 'CANCELLED';

/** Our codes for messages without a carrier's response, in place of a carrier status. */
export const ownCodes = {
  /**
   * The validity ended before the message was submitted: `expired` while it waited for a connector, `validityOver`
   * while a connector had it.
   */
  expired: 'EXPIRED',
  validityOver: 'VALIDITY_OVER',
  /** Whether the carrier has accepted the message is unknown. */
  silent: 'CARRIER_SILENT',
  /** The connector went down. */
  down: 'LINK_DOWN',
  tooLong: 'TOO_LONG',
  /** Its sender has used up the rate of a connector, and it waits for its turn. */
  senderRate: 'SENDER_RATE',
  /**
   * The sending policy of the account does not permit the message: at this hour, this often to the recipient, or
   * without consent.
   */
  sendingHours: 'SENDING_HOURS',
  frequencyCap: 'FREQUENCY_CAP',
  noConsent: 'NO_CONSENT',
  /** The number is in a range that the account may not send to. */
  deniedRange: 'DENIED_RANGE',
  /** The account blacklisted the recipient after the message was accepted. */
  blacklisted: 'BLACKLISTED',
  /** Its payload is encrypted with a lost key. */
  textLost: 'TEXT_LOST',
} as const;

const enFailed = 'Failed';
const heFailed = 'נכשל';

const texts = new Map<number, readonly [en: string, he: string]>([
  [-1, ['Sent, no delivery confirmation', 'נשלח - ללא אישור מסירה']],
  [0, ['Delivered', 'הגיע ליעד']],
  [102, ['Delivered', 'הגיע ליעד']],
  [1, [enFailed, heFailed]],
  [3, [enFailed, heFailed]],
  [5, [enFailed, heFailed]],
  [6, [enFailed, heFailed]],
  [2, ['Timeout', 'Timeout']],
  [4, ['Failed in the mobile network', 'נכשל סלולר']],
  [7, ['No credit', 'אין יתרה']],
  [14, ['Failed in the mobile network after store and forward', 'נכשל סלולר - עבר תהליך של store&forward']],
  [15, ['Kosher number', 'מספר כשר']],
  [16, ['Not permitted at the sending hour', 'אין הרשאת שעת שליחה']],
  [17, ['Blocked for advertising', 'חסום להודעות פרסומיות']],
  [18, ['Message not legal', 'הודעה לא חוקית']],
  ...[101, 105, 106, 107, ...Array.from({ length: 24 }, (_, i) => 109 + i)].map(
    (code) => [code, ['Not delivered', 'לא הגיע ליעד']] as [number, [string, string]],
  ),
  [103, ['Expired', 'פג תוקף']],
  [104, ['Deleted', 'נמחק']],
  [108, ['Rejected', 'נדחה']],
  [201, ['Blocked on request', 'נחסם לפי בקשה']],
  [747, ['Out of network coverage', 'מנוי נמצא מחוץ לכיסוי רשת מקומית']],
  [998, ['No permission', 'אין הרשאה']],
  [999, ['Unknown error', 'שגיאה לא ידועה']],
]);

/** Returns the English and Hebrew text of a delivery status; that of 999 for an unknown status. */
export function statusTexts(code: number): { en: string; he: string } {
  const [en, he] = texts.get(code) ?? texts.get(status.unknownError)!;
  return { en, he };
}

/** All statuses with a text, for the test that compares them with the table in the docs. */
export const knownStatuses: ReadonlyMap<number, readonly [en: string, he: string]> = texts;
