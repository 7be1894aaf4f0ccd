import { VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client } from '../api/client.ts';
import { useBehindSince, useReachable, useUpdates } from '../api/connection.ts';
import { useTimeZone } from '../api/session-context.ts';
import { Brand } from '../components/brand.tsx';
import { localeOf } from '../i18n/languages.ts';
import { useLanguage, useTexts } from '../i18n/use-texts.tsx';

const ASK_AGAIN_MS = 3_000;

/**
 * The bell with its name, and the state of the connection: it swings once for a live update, and says since when pages are
 * behind. `iconOnly`: without the name on a phone.
 */
export function LiveBrand({ iconOnly }: { readonly iconOnly: boolean }) {
  const { shell } = useTexts();
  const language = useLanguage();
  const timeZone = useTimeZone();
  const since = useBehindSince();
  const updates = useUpdates();
  const [rung, setRung] = useState(0);
  const reachable = useAskAgain();
  const behind = since !== undefined;
  const text = behind
    ? shell.behind(new Date(since).toLocaleTimeString(localeOf(language), { timeStyle: 'short', timeZone }))
    : shell.live;
  const hint = reachable ? text : `${text}. ${shell.unreachable}`;
  return (
    <Brand
      iconOnly={iconOnly || behind}
      hint={hint}
      behind={behind}
      ringing={updates > rung}
      onRung={() => setRung(updates)}
    >
      <span role="status" className="live">
        {behind && <span aria-hidden>{text}</span>}
        <VisuallyHidden>{hint}</VisuallyHidden>
      </span>
    </Brand>
  );
}

/**
 * Asks a service that does not answer again and again. When it answers, all data on the page is refreshed. Returns whether it
 * answers.
 */
function useAskAgain(): boolean {
  const reachable = useReachable();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (reachable) return;
    const timer = setInterval(() => void client.GET('/v1/session').catch(() => {}), ASK_AGAIN_MS);
    return () => {
      clearInterval(timer);
      void queryClient.invalidateQueries();
    };
  }, [reachable, queryClient]);
  return reachable;
}
