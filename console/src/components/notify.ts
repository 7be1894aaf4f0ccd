import { notifications } from '@mantine/notifications';
import { type Stale, useRefresh } from '../api/refresh.ts';
import { useTexts } from '../i18n/texts.tsx';
import { errorText } from './states.tsx';

/** Says that something was done, and marks what was read of it as out of date. It is read out. */
export function useDone(): (message: string, ...stale: readonly Stale[]) => Promise<void> {
  const refresh = useRefresh();
  return async (message, ...stale) => {
    notifications.show({ message, color: 'teal' });
    await refresh(...stale);
  };
}

/** Does something that has no form: what goes wrong is said in a notification. Gives whether it was done. */
export function useAttempt(): (work: () => Promise<unknown>) => Promise<boolean> {
  const texts = useTexts();
  return async (work) => {
    try {
      await work();
      return true;
    } catch (error) {
      notifications.show({
        title: texts.common.errors.title,
        message: errorText(error, texts),
        color: 'red',
      });
      return false;
    }
  };
}
