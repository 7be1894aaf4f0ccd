import { Timeline } from '@mantine/core';
import {
  Ban,
  Bell,
  CalendarClock,
  Check,
  CheckCheck,
  Clock,
  Flag,
  Inbox,
  type LucideIcon,
  MailX,
  MousePointerClick,
  RadioTower,
  Undo2,
  X,
} from 'lucide-react';
import type { MessageDetail, Step } from '../../api/message-types.ts';
import { Muted, TextLink } from '../../components/text.tsx';
import { Amount, Time } from '../../components/values.tsx';
import type { Dictionary } from '../../i18n/en.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { durationText } from './duration.ts';
import { type EndedWait, endedWaits, WaitItem } from './message-waits.tsx';
import { ReplacedItem } from './other-message.tsx';

/** All steps but `replaced`, which has a separate item. */
type PlainStep = Exclude<Step, 'replaced'>;

const icons: Readonly<Record<PlainStep, LucideIcon>> = {
  accepted: Inbox,
  scheduled: CalendarClock,
  waiting: Clock,
  submitted: RadioTower,
  delivered: Check,
  failed: X,
  cancelled: Ban,
  given_back: Undo2,
  read: CheckCheck,
  clicked: MousePointerClick,
  complained: Flag,
  unsubscribed: MailX,
  pushed: Bell,
};
const colours: Partial<Readonly<Record<Step, string>>> = {
  delivered: 'teal.8',
  read: 'teal.8',
  failed: 'red.8',
  complained: 'red.8',
  unsubscribed: 'orange.9',
  cancelled: 'orange.9',
  waiting: 'gray.6',
  scheduled: 'gray.6',
};

type Event = MessageDetail['steps'][number];

/** Returns the completed steps of a message and the waits that are over, in order. */
function eventsOf(message: MessageDetail): (Event | EndedWait)[] {
  const { steps, waits, waiting } = message;
  // A send that waits for the permitted hours is scheduled by the service; its wait tells more.
  const isScheduled = waiting !== null || waits.some(({ reason }) => reason === 'scheduled');
  // The notice below explains the wait. A future time is not a completed step, and a paused message has no meaningful time.
  const done = steps.filter(({ step }) => step !== 'waiting' && (step !== 'scheduled' || isScheduled));
  const beginning = (event: Event | EndedWait) => Date.parse('step' in event ? event.at : event.from);
  const [accepted, ...later] = done;
  const waited = endedWaits(message);
  // A message of a campaign is created when its campaign has waited.
  const before = waited.filter(({ until }) => accepted && until <= accepted.at);
  const after = [...later, ...waited.filter((wait) => !before.includes(wait))];
  after.sort((one, other) => beginning(one) - beginning(other));
  return [...before, ...(accepted ? [accepted] : []), ...after];
}

/** The events of a message in order, how long and why it waited, and why it waits. */
export function MessageTimeline({ message }: { readonly message: MessageDetail }) {
  const texts = useTexts();
  const t = texts.messages.one;
  const language = useLanguage();
  const { waiting, accepted_at } = message;
  const done = eventsOf(message);
  const begun = Date.parse(accepted_at);
  return (
    <div aria-live="polite">
      <Timeline active={done.length - 1} bulletSize={28} lineWidth={2} color="verdigris.7">
        {done.map((event, index) => {
          // biome-ignore lint/suspicious/noArrayIndexKey: events keep their order, and one can occur twice
          if (!('step' in event)) return <WaitItem key={index} wait={event} />;
          const { step, at } = event;
          if (step === 'replaced') {
            // biome-ignore lint/suspicious/noArrayIndexKey: steps keep their order
            return message.fallback && <ReplacedItem key={index} other={message.fallback} />;
          }
          const Icon = icons[step];
          const since = Date.parse(at) - begun;
          // A trunk reports a call when it has ended, so the time of the answer is not available.
          const isAnswer = message.channel === 'voice' && step === 'submitted';
          return (
            <Timeline.Item
              // biome-ignore lint/suspicious/noArrayIndexKey: steps keep their order, and a step can occur twice
              key={index}
              bullet={<Icon size={15} aria-hidden />}
              title={stepText(step, message, t)}
              color={colours[step] ?? 'verdigris.7'}
            >
              <Muted>
                {!isAnswer && <Time at={at} to="second" />}
                {!isAnswer && step !== 'accepted' && step !== 'scheduled' && since >= 0 && (
                  <> · {t.after(durationText(since, texts))}</>
                )}
                {step === 'accepted' && <Sent message={message} />}
                {step === 'submitted' && message.link !== null && (
                  <>
                    {' '}
                    · <bdi>{message.link}</bdi>
                  </>
                )}
                {(step === 'delivered' || step === 'failed') && message.carrier_status !== null && (
                  <>
                    {' '}
                    · <bdi dir="ltr">{message.carrier_status}</bdi>
                  </>
                )}
                {(step === 'delivered' || step === 'failed') && typeof message.call?.seconds === 'number' && (
                  <> · {t.heardFor(message.call.seconds.toLocaleString(language))}</>
                )}
              </Muted>
            </Timeline.Item>
          );
        })}
        {waiting && (
          <Timeline.Item
            bullet={<Clock size={15} aria-hidden />}
            title={stepText('waiting', message, t)}
            lineVariant="dashed"
            color="gray.6"
          >
            <Muted>
              {waitingText(waiting, message.channel === 'voice' ? { ...t, waitsSince: t.callWaits } : t)}
              {!waiting.paused && !waiting.held && !waiting.in_hand && (
                <>
                  {' '}
                  <Time at={waiting.due_at} to="second" />
                </>
              )}
              {waiting.attempts > 0 && !waiting.paused && <> {t.attempts(waiting.attempts)}</>}
              {waiting.attempts > 0 && message.call && (
                <>
                  {' '}
                  {t.lastTry}: {t.callSteps.failed[message.call.outcome] ?? t.callSteps.failed.other}
                </>
              )}
            </Muted>
          </Timeline.Item>
        )}
      </Timeline>
    </div>
  );
}

/** Price of a message, and the request that sent it. */
function Sent({ message: { price, request } }: { readonly message: MessageDetail }) {
  return (
    <>
      {' '}
      · <Amount value={price} unit />
      {request && (
        <>
          {' '}
          ·{' '}
          <TextLink href={`/requests?request_id=${request.request_id}&open=${request.id}`}>
            <bdi dir="ltr">{request.operation}</bdi>
          </TextLink>
        </>
      )}
    </>
  );
}

/** A step in words; of a call in those of the telephone. */
function stepText(
  step: PlainStep,
  { channel, call }: MessageDetail,
  { steps, callSteps }: Dictionary['messages']['one'],
): string {
  if (channel !== 'voice') return steps[step];
  if (step === 'waiting' || step === 'submitted' || step === 'delivered') return callSteps[step];
  if (step === 'failed') return (call && callSteps.failed[call.outcome]) ?? steps.failed;
  return steps[step];
}

function waitingText(
  { paused, held, in_hand, due_at, because }: NonNullable<MessageDetail['waiting']>,
  t: {
    readonly paused: string;
    readonly held: string;
    readonly inHand: string;
    readonly waitsSince: string;
    readonly waitsUntil: string;
    readonly waitsFor: Readonly<Record<'sending-hours' | 'frequency-cap' | 'unanswered', string>>;
  },
): string {
  if (held) return t.held;
  if (paused) return t.paused;
  if (in_hand) return t.inHand;
  if (because !== null) return t.waitsFor[because];
  return Date.parse(due_at) > Date.now() ? t.waitsUntil : t.waitsSince;
}
