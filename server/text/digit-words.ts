import type { Language } from './language.ts';

/** Words of the ten digits, as they are said when somebody reads a number out. */
export const digitWords: Readonly<Record<Language, readonly string[]>> = {
  he: ['אפס', 'אחת', 'שתיים', 'שלוש', 'ארבע', 'חמש', 'שש', 'שבע', 'שמונה', 'תשע'],
  en: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
  ar: ['صفر', 'واحد', 'اثنان', 'ثلاثة', 'أربعة', 'خمسة', 'ستة', 'سبعة', 'ثمانية', 'تسعة'],
  ru: ['ноль', 'один', 'два', 'три', 'четыре', 'пять', 'шесть', 'семь', 'восемь', 'девять'],
};

/** What is said for the other keys of a telephone. */
export const keyWords: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  he: { '+': 'פלוס', '*': 'כוכבית', '#': 'סולמית' },
  en: { '+': 'plus', '*': 'star', '#': 'hash' },
  ar: { '+': 'زائد', '*': 'نجمة', '#': 'مربع' },
  ru: { '+': 'плюс', '*': 'звёздочка', '#': 'решётка' },
};
