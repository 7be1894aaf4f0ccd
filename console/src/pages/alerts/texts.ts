import { textsOfPages, useLanguage } from '../../i18n/use-texts.tsx';
import type { Alert } from './alert-scope.ts';
import { alerts as en } from './texts.en.ts';
import { alerts as he } from './texts.he.ts';

/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const useAlertTexts = textsOfPages({ en, he });

/** Fields with amounts of credit, which the service returns as text. */
const amounts: readonly string[] = ['balance', 'below'];

/** One-line description of an alert, with numbers in the format of the language. */
export function useHolds(): (alert: Pick<Alert, 'kind' | 'measured'>) => string {
  const { holds } = useAlertTexts();
  const language = useLanguage();
  return ({ kind, measured }) => {
    const shown = Object.entries(measured as Readonly<Record<string, string | number>>).map(
      ([name, value]) =>
        [
          name,
          typeof value === 'number' || amounts.includes(name)
            ? Number(value).toLocaleString(language, { maximumFractionDigits: 4 })
            : value,
        ] as const,
    );
    return holds[kind](Object.fromEntries(shown));
  };
}
