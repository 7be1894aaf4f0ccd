import { Timeline } from '@mantine/core';
import { Shuffle } from 'lucide-react';
import type { MessageDetail } from '../../api/message-types.ts';
import type { Answer } from '../../api/operations.ts';
import { Muted, TextLink } from '../../components/text.tsx';
import { Time } from '../../components/values.tsx';
import { textsOfPages, useLanguage } from '../../i18n/use-texts.tsx';
import { useChannelName } from './channels.ts';
import { otherMessage as en } from './other-message-texts.en.ts';
import { otherMessage as he } from './other-message-texts.he.ts';

export const useOtherTexts = textsOfPages({ en, he });

type Other = NonNullable<MessageDetail['fallback']>;
type Fallback = NonNullable<Answer<'/v1/campaigns/{id}'>['fallback']>;

/** Link to the message of another channel, or to its campaign while the message does not exist. */
export function OtherMessage({ other: { channel, shipment_id, message_id } }: { readonly other: Other }) {
  const nameOf = useChannelName();
  return (
    <TextLink href={message_id === null ? `/campaigns/${shipment_id}` : `/messages/${message_id}`}>
      {nameOf(channel)}
    </TextLink>
  );
}

/** The second message of a message. Other properties are those that the timeline gives its items. */
export function ReplacedItem({ other, ...item }: { readonly other: Other } & object) {
  const t = useOtherTexts();
  return (
    <Timeline.Item
      {...item}
      bullet={<Shuffle size={15} aria-hidden />}
      title={t.replaced}
      color="verdigris.7"
    >
      <Muted>
        <Time at={other.at} to="second" /> · <OtherMessage other={other} />
      </Muted>
    </Timeline.Item>
  );
}

/** The second messages of a campaign: their channel, their number, and why they wait or have ended. */
export function FallbackState({
  fallback: { channel, state, reason, sent },
}: {
  readonly fallback: Fallback;
}) {
  const t = useOtherTexts();
  const language = useLanguage();
  const nameOf = useChannelName();
  return (
    <span>
      {nameOf(channel)} · {t.sent(sent.toLocaleString(language))}
      {reason !== null && (
        <>
          {' '}
          · {state === 'open' ? t.waits : t.ended}: <bdi>{t.reasons[reason] ?? reason}</bdi>
        </>
      )}
    </span>
  );
}
