import { Suspense, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import type { Conversation } from '../../api/conversation-queries.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { playSound, useAlertsWanted, useSoundWanted } from './desktop-alerts.ts';
import { useUnread } from './use-unread.ts';

/** Maximum number of conversations that one check announces. */
const TOLD = 5;

/**
 * Announces unread conversations on every page: in the window title, and with notifications where the person enabled them.
 */
export function ConversationWatch() {
  const unread = useUnread();
  useTitle(unread);
  const [alerts] = useAlertsWanted();
  const [sound] = useSoundWanted();
  return (
    (alerts || sound) && (
      <Suspense>
        <Alerts unread={unread} alerts={alerts} sound={sound} />
      </Suspense>
    )
  );
}

/** Puts the count before the title, whichever page has set it. */
function useTitle(unread: number): void {
  useEffect(() => {
    const bare = () => document.title.replace(/^\(\d+\) /, '');
    const apply = () => {
      const wanted = unread > 0 ? `(${unread}) ${bare()}` : bare();
      if (document.title !== wanted) document.title = wanted;
    };
    apply();
    const observer = new MutationObserver(apply);
    observer.observe(document.querySelector('title')!, { childList: true });
    return () => {
      observer.disconnect();
      document.title = bare();
    };
  }, [unread]);
}

const CHECK_MS = 10_000;

function Alerts({
  unread,
  alerts,
  sound,
}: {
  readonly unread: number;
  readonly alerts: boolean;
  readonly sound: boolean;
}) {
  const { conversations: t } = useTexts();
  const [, navigate] = useLocation();
  /** Time of the last announced client message, ISO 8601. */
  const told = useRef(new Date().toISOString());
  const look = async () => {
    const data = await client.GET('/v1/conversations', {
      query: { unread: 'true', limit: TOLD },
    });
    const fresh = data.conversations.filter(
      (row) => row.last_from_client && row.last_at > told.current && !isLookedAt(row),
    );
    if (fresh.length === 0) return;
    told.current = fresh[0]!.last_at;
    if (sound) playSound();
    if (alerts) for (const row of fresh) notify(row, t, () => navigate(`/conversations?id=${row.id}`));
  };
  const latest = useRef(look);
  latest.current = look;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed count triggers a check before the next interval
  useEffect(() => {
    const run = () => void latest.current().catch(() => {});
    run();
    const timer = setInterval(run, CHECK_MS);
    return () => clearInterval(timer);
  }, [unread]);
  return null;
}

/** Whether one reads it anyway. */
const isLookedAt = ({ id }: Conversation) =>
  document.visibilityState === 'visible' && new URLSearchParams(location.search).get('id') === id;

function notify(
  { id, client: number, client_name: name, last_text }: Conversation,
  t: { readonly alertTitle: (client: string) => string },
  open: () => void,
): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  try {
    const shown = new Notification(t.alertTitle(name || number), {
      body: last_text,
      tag: id,
      icon: '/icon.svg',
    });
    shown.addEventListener('click', () => {
      window.focus();
      open();
      shown.close();
    });
  } catch {
    // Browsers of phones show them from service workers alone; the title and the sound remain.
  }
}
