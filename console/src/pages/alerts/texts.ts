import { alerts as en } from '../../i18n/en/alerts.ts';
import { alerts as he } from '../../i18n/he/alerts.ts';
import { textsOfPages } from '../../i18n/texts.tsx';
import type { Alert } from './scope.ts';

/** The texts of these pages, which are fetched with them: few people open them, and the first load is limited. */
export const useAlertTexts = textsOfPages({ en, he });

/** What an alert says, in a line. */
export function useHolds(): (alert: Pick<Alert, 'kind' | 'measured'>) => string {
  const { holds } = useAlertTexts();
  return ({ kind, measured }) => holds[kind](measured as Readonly<Record<string, string | number>>);
}
