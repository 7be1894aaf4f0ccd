import type { NotificationData } from '@mantine/notifications';
import { useSyncExternalStore } from 'react';

let wanted = false;
const listeners = new Set<() => void>();

/** Whether a notification was shown since the page was opened. */
export const useNoticesWanted = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => wanted,
  );

/** Shows a notification. Their component loads with the first one. */
export function showNotice(
  notice: Pick<NotificationData, 'title' | 'message' | 'color' | 'autoClose'>,
): void {
  wanted = true;
  for (const listener of listeners) listener();
  void import('./notice-area.tsx').then(({ notifications }) => notifications.show(notice));
}
