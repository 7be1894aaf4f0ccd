import type { Dictionary, FirstTexts } from './en.ts';
import { chosenLanguage, type Language } from './languages.ts';
import { followLanguage } from './load-reasons.ts';
import type { MoreTexts } from './more.en.ts';

// One function per language: with a conditional between two imports, the bundler would load the chunks of both languages.
const firstTexts: Readonly<Record<Language, () => Promise<FirstTexts>>> = {
  en: () => import('./en.ts'),
  he: () => import('./he.ts'),
};
const moreTexts: Readonly<Record<Language, () => Promise<MoreTexts>>> = {
  en: () => import('./more.en.ts'),
  he: () => import('./more.he.ts'),
};

const moreNames: Readonly<Record<keyof MoreTexts, true>> = {
  campaigns: true,
  conversations: true,
  mailbox: true,
  mailCampaigns: true,
  mailEditor: true,
  mailLists: true,
  mailTemplates: true,
  mailTokens: true,
  mailViews: true,
  send: true,
  synonyms: true,
  templates: true,
};

const loading = new Map<Language, Promise<MoreTexts>>();
const loaded = new Map<Language, MoreTexts>();
/** Why the texts of a language could not be fetched, until a page asks for them again. */
const failed = new Map<Language, unknown>();

function loadMore(language: Language): Promise<MoreTexts> {
  const known = loading.get(language);
  if (known) return known;
  const texts = moreTexts[language]().then((all) => {
    loaded.set(language, all);
    return all;
  });
  loading.set(language, texts);
  failed.delete(language);
  // The next page that needs them asks again.
  texts.catch((error: unknown) => {
    loading.delete(language);
    failed.set(language, error);
  });
  return texts;
}

/** Fetches the texts of `more.en.ts` or `more.he.ts`. */
export const loadMoreTexts = (): Promise<unknown> => loadMore(chosenLanguage());

/** Fetches a script together with the texts of `loadMoreTexts`. */
export const withMoreTexts =
  <Module>(load: () => Promise<Module>): (() => Promise<Module>) =>
  async () =>
    (await Promise.all([load(), loadMoreTexts()]))[0];

/** Fetches the texts of one language: those of first pages, and the others if they were needed in another language. */
export async function loadDictionary(language: Language): Promise<Dictionary> {
  const [first] = await Promise.all([
    firstTexts[language](),
    loaded.size > 0 && loadMore(language),
    followLanguage(language),
  ]);
  const dictionary = { ...first };
  for (const name of Object.keys(moreNames) as (keyof MoreTexts)[]) {
    Object.defineProperty(dictionary, name, { get: () => moreOf(language)[name] });
  }
  return dictionary as Dictionary;
}

/**
 * Returns the texts that pages load with. A part of a first page that reads one waits for them, as for its script (Suspense): it
 * throws the promise. React's `use` would have to be called again once they are there, and event handlers cannot call it.
 */
function moreOf(language: Language): MoreTexts {
  const texts = loaded.get(language);
  if (texts) return texts;
  throw failed.get(language) ?? loadMore(language);
}
