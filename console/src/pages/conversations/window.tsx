import { Text } from '@mantine/core';
import { Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReplyState } from '../../api/conversation-queries.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

const MINUTE_MS = 60_000;
/** Below it the time that is left stands out. */
const SOON_MS = 60 * MINUTE_MS;

/** The time, as it goes by. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Remaining time of the 24-hour window; nothing for channels without one. */
export function WindowTime({ replies: { closes_at } }: { readonly replies: ReplyState }) {
  const { conversations: t } = useTexts();
  const now = useNow(MINUTE_MS / 4);
  if (closes_at === null) return null;
  const left = Date.parse(closes_at) - now;
  if (left <= 0) return null;
  const minutes = Math.max(1, Math.floor(left / MINUTE_MS));
  return (
    <Text component="span" size="xs" className="window-time" data-soon={left < SOON_MS || undefined}>
      <Clock size={13} aria-hidden /> {t.openFor(t.hoursMinutes(Math.floor(minutes / 60), minutes % 60))}
    </Text>
  );
}
