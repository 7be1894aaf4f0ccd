/**
 * Effect of an erasure on the rows of a kind (docs/data.md). The console has the words of each:
 * - `deletes`: the rows are deleted
 * - `pseudonym`, `names`: a pseudonym replaces the number or address; texts are deleted, or stay
 * - `digest`, `proof`: a digest stays, which blocks messages or proves consents
 * - `empties`: numbers and texts are deleted
 * - `bounces`: the address is deleted; the count stays
 */
type ErasureEffect = 'deletes' | 'pseudonym' | 'names' | 'digest' | 'proof' | 'empties' | 'bounces';

interface KindOfData {
  readonly en: string;
  readonly he: string;
  readonly erasure: ErasureEffect;
}

const table = {
  messages: { en: 'Messages that were sent', he: 'הודעות שנשלחו', erasure: 'pseudonym' },
  clicks: { en: 'Clicks on links', he: 'לחיצות על קישורים', erasure: 'pseudonym' },
  'incoming-sms': { en: 'Incoming SMS', he: 'מסרונים נכנסים', erasure: 'deletes' },
  'incoming-chat': { en: 'Incoming chat messages', he: 'הודעות צ׳אט נכנסות', erasure: 'deletes' },
  'incoming-mail': { en: 'Incoming emails', he: 'דוא״ל נכנס', erasure: 'deletes' },
  conversations: { en: 'Conversations', he: 'שיחות', erasure: 'deletes' },
  'conversation-entries': {
    en: 'Notes and events of conversations',
    he: 'הערות ואירועים בשיחות',
    erasure: 'deletes',
  },
  files: { en: 'Files', he: 'קבצים', erasure: 'deletes' },
  contacts: { en: 'Contacts', he: 'אנשי קשר', erasure: 'deletes' },
  'mailing-list-users': { en: 'Mailing list recipients', he: 'נמענים ברשימות דיוור', erasure: 'deletes' },
  blacklist: { en: 'Blacklist', he: 'רשימה שחורה', erasure: 'digest' },
  'one-time-codes': { en: 'One-time codes', he: 'קודים חד־פעמיים', erasure: 'pseudonym' },
  'frequency-counts': {
    en: 'Messages counted for frequency caps',
    he: 'הודעות שנספרו להגבלת תדירות',
    erasure: 'deletes',
  },
  verifications: { en: 'Verifications of the number', he: 'אימותים של המספר', erasure: 'deletes' },
  'chat-windows': { en: 'Chat windows and ids', he: 'חלונות ומזהים בצ׳אט', erasure: 'deletes' },
  bounces: { en: 'Bounced emails', he: 'דוא״ל שחזר', erasure: 'bounces' },
  consents: { en: 'Consent log', he: 'יומן הסכמות', erasure: 'proof' },
  mentions: {
    en: 'Other records that name the person',
    he: 'רשומות אחרות שמזכירות את האדם',
    erasure: 'names',
  },
  events: { en: 'Events for webhooks', he: 'אירועים ל־Webhooks', erasure: 'empties' },
  'smpp-deliveries': {
    en: 'Receipts and messages that wait for an SMPP client',
    he: 'אישורי מסירה והודעות שממתינים ללקוח SMPP',
    erasure: 'deletes',
  },
  'test-messages': {
    en: 'Test messages of operators',
    he: 'הודעות בדיקה של מפעילים',
    erasure: 'deletes',
  },
  'csv-files': {
    en: 'CSV files of imports and exports',
    he: 'קובצי CSV של ייבוא וייצוא',
    erasure: 'deletes',
  },
  exports: { en: 'Archives of earlier exports', he: 'ארכיונים של ייצואים קודמים', erasure: 'deletes' },
} as const satisfies Readonly<Record<string, KindOfData>>;

/** Category of personal data in exports and certificates. */
export type Kind = keyof typeof table;

/** Titles of the kinds in both languages, and the effect of an erasure on their rows. The console and exports show them. */
export const kindsOfData: Readonly<Record<Kind, KindOfData>> = table;

/** All kinds, in the order in which APIs and exports list them. */
export const kinds = Object.keys(table) as [Kind, ...Kind[]];
