/** A term of the console (docs/glossary.md) with its word in both languages, and words that must not stand in its place. */
interface Term {
  readonly en: string;
  readonly he: string;
  readonly notEn?: RegExp;
  readonly notHe?: RegExp;
}

/** The terms of both languages. A term that a page needs and neither language has yet is added here first. */
export const terms: readonly Term[] = [
  { en: 'contact list', he: 'רשימת אנשי קשר', notHe: /רשימ(ות|ת) ה?תפוצה/ },
  { en: 'token', he: 'אסימון', notHe: /טוקן/ },
  { en: 'blacklist', he: 'רשימה שחורה', notHe: /רשימת ה?(חסימה|חסומים)/ },
  { en: 'click', he: 'לחיצה', notHe: /הקלק|הקליק/ },
  { en: 'email', he: 'דוא״ל', notEn: /(?<![\w./@{-])mails?\b(?!-|\.|:| relay| program| domain)/i },
  { en: 'submitted', he: 'נשלחה לספק', notEn: /\b(handed over|taken)\b/i },
  { en: 'outcome', he: 'תוצאה', notEn: /\bfate\b/i },
  { en: 'business hours', he: 'שעות פעילות', notEn: /\bopening hours\b/i },
  { en: 'round-robin', he: 'תורנות', notEn: /\bby turns\b/i },
  { en: 'update', he: 'עודכן', notEn: /\banew\b|\bmeanwhile\b/i },
  { en: 'everyone', he: 'כולם', notEn: /\b(somebody|everybody|whoever)\b/i },
  { en: 'delete', he: 'מחיקה', notEn: /\b(gone back|put away)\b/i },
  { en: 'no longer', he: 'כבר לא', notEn: /\b(not|no) \w+ any more\b|\bany more\b/i },
  { en: 'immediately', he: 'מיד', notEn: /\bat once\b/i },
  { en: 'this', he: 'זה', notEn: /\bthat which\b|\bof which\b|\bin the place of\b/i },
  { en: 'gershayim', he: '״', notHe: /[„“”]/ },
];
