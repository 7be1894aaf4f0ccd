import { useLanguage } from '../../i18n/use-texts.tsx';
import { useRequestTexts } from './request-texts.ts';

/** Returns a function that formats a duration, such as “84 ms” or “4.2 ms”. */
export function useMilliseconds(): (value: number) => string {
  const t = useRequestTexts();
  const language = useLanguage();
  return (value) =>
    t.milliseconds(value.toLocaleString(language, { maximumFractionDigits: value < 10 ? 1 : 0 }));
}
