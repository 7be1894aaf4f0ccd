import { type Stale, useRefresh } from '../api/refresh.ts';
import { useTexts } from '../i18n/use-texts.tsx';
import { showNotice } from './notices.ts';
import { errorText } from './states.tsx';

/** Announces success, also to screen readers, and marks the changed data as out of date. */
export function useDone(): (message: string, ...stale: readonly Stale[]) => Promise<void> {
  const refresh = useRefresh();
  return async (message, ...stale) => {
    showNotice({ message, color: 'teal' });
    await refresh(...stale);
  };
}

/** Runs an action without a form and shows its error in a notification. Returns whether it succeeded. */
export function useAttempt(): (work: () => Promise<unknown>) => Promise<boolean> {
  const texts = useTexts();
  return async (work) => {
    try {
      await work();
      return true;
    } catch (error) {
      showNotice({
        message: errorText(error, texts),
        color: 'red',
      });
      return false;
    }
  };
}
