import { type Kind, kindsOfData } from '../../../../server/modules/personal-data/kinds.ts';
import { textsOfPages } from '../../i18n/use-texts.tsx';
import { personalData as en } from './texts.en.ts';
import { personalData as he } from './texts.he.ts';

const titlesIn = (language: 'en' | 'he') =>
  Object.fromEntries(
    Object.entries(kindsOfData).map(([kind, titles]) => [kind, titles[language]]),
  ) as Readonly<Record<Kind, string>>;

/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const usePersonalDataTexts = textsOfPages({
  en: { ...en, kinds: titlesIn('en') },
  he: { ...he, kinds: titlesIn('he') },
});
