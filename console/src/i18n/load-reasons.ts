import { chosenLanguage, type Language } from './languages.ts';
import type { reasonTexts } from './reason-texts.en.ts';

type ReasonTexts = typeof reasonTexts;

const texts: Readonly<Record<Language, () => Promise<{ readonly reasonTexts: ReasonTexts }>>> = {
  en: () => import('./reason-texts.en.ts'),
  he: () => import('./reason-texts.he.ts'),
};

const loaded = new Map<Language, ReasonTexts>();

/** Fetches the texts for reasons of refusals. Without them, the text of the service is shown; the next call tries again. */
export async function loadReasonTexts(language: Language = chosenLanguage()): Promise<void> {
  if (loaded.has(language)) return;
  await texts[language]().then(
    ({ reasonTexts: all }) => loaded.set(language, all),
    () => undefined,
  );
}

/** Fetches the texts in another language, if they were needed before. */
export const followLanguage = (language: Language): Promise<void> | undefined =>
  loaded.size > 0 ? loadReasonTexts(language) : undefined;

/** Returns the text for a reason. Undefined before `loadReasonTexts`, and for reasons that this page does not know. */
export function reasonText(
  reason: string,
  params: Readonly<Record<string, string | number>>,
): string | undefined {
  const all: Readonly<Record<string, ReasonTexts[keyof ReasonTexts] | undefined>> | undefined = loaded.get(
    chosenLanguage(),
  );
  return all?.[reason]?.(params);
}
