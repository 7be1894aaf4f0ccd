import { Timeline } from '@mantine/core';
import { Clock } from 'lucide-react';
import type { MessageDetail } from '../../api/message-types.ts';
import { Muted } from '../../components/text.tsx';
import { Time } from '../../components/values.tsx';
import { textsOfPages, useTexts } from '../../i18n/use-texts.tsx';
import { durationText } from './duration.ts';
import { waits as en } from './wait-texts.en.ts';
import { waits as he } from './wait-texts.he.ts';

const useWaitTexts = textsOfPages({ en, he });

type Wait = MessageDetail['waits'][number];

/** A wait that is over. */
export type EndedWait = Wait & { readonly until: string };

/** Returns the waits that are over, without the schedule if the timeline has it as a step. */
export function endedWaits({ waits, waiting, steps }: MessageDetail): EndedWait[] {
  const now = new Date().toISOString();
  const isStep = steps.some(({ step }) => step === 'scheduled');
  return waits.flatMap((wait) => {
    const { reason, until } = wait;
    const isOver = until !== null && (waiting === null || until <= now);
    if (!isOver || (reason === 'scheduled' && isStep)) return [];
    return [{ ...wait, until }];
  });
}

/** How long a message waited, and why. Other properties are those that the timeline gives its items. */
export function WaitItem({
  wait: { reason, from, until, attempts, link, carrier_status },
  ...item
}: { readonly wait: EndedWait } & object) {
  const texts = useTexts();
  const t = useWaitTexts();
  return (
    <Timeline.Item {...item} bullet={<Clock size={15} aria-hidden />} title={t[reason]} color="gray.6">
      <Muted>
        <Time at={from} to="second" /> – <Time at={until} to="second" /> ·{' '}
        {durationText(Date.parse(until) - Date.parse(from), texts)}
        {attempts !== null && <> · {texts.messages.one.attempts(attempts)}</>}
        {link !== null && (
          <>
            {' '}
            · <bdi>{link}</bdi>
          </>
        )}
        {carrier_status !== null && (
          <>
            {' '}
            · <bdi dir="ltr">{carrier_status}</bdi>
          </>
        )}
      </Muted>
    </Timeline.Item>
  );
}
