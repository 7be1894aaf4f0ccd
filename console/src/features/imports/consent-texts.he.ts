import type * as en from './consent-texts.en.ts';

export const importConsent: typeof en.importConsent = {
  add: 'לתעד הסכמה עבור האנשים בקובץ',
  hint: 'יומן ההסכמות שומר מי הסכים למה, מתי ובאיזה טופס. מי שברשימה השחורה, או שהסירו את עצמם, נשארים כך.',
  channel: 'הסכימו להודעות באמצעות',
  any: 'כל ערוץ',
  form: 'טופס',
  formHint: 'השם שלו, למשל newsletter-2026',
  text: 'הטקסט שאושר',
  when: 'מתי הסכימו',
  ways: { date: 'אותו תאריך לכולם', column: 'מתוך עמודה' },
  at: 'מועד',
  column: 'העמודה עם התאריך',
  columnHint: 'למשל 2026-02-01 או 01/02/2026. שורות ללא תאריך מיובאות בלי הסכמה.',
  choose: 'בחרו עמודה',
};
