import { ActionIcon, UnstyledButton } from '@mantine/core';
import { Mail, MessageCircle, MessageSquareText, PenLine, Phone as PhoneIcon, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { type ReceivedCall, type SandboxPhone, useSandboxPhone } from '../../api/sandbox-phone.ts';
import { useTimeZone } from '../../api/session-context.ts';
import { errorText } from '../../components/states.tsx';
import { Phone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type App, type Bubble, type Conversation, conversationsOf } from './phone-conversations.ts';
import './handset.css';
import { Avatar, EmptyScreen } from './screen.tsx';

// A phone opens with its list of conversations.
const Thread = lazy(() => import('./phone-thread.tsx'));
const Calls = lazy(() => import('./calls.tsx'));
const MailApp = lazy(() => import('./mail-app.tsx'));

/** Open screen of the phone: an app and, in it, a conversation or a new one. */
interface Place {
  readonly app: App | 'calls' | 'mail';
  readonly peer: string | undefined;
  readonly writingNew: boolean;
}

/**
 * Open screen of a phone, and the messages already seen. A new message opens its conversation when nothing else is open;
 * otherwise it counts as unread on its app.
 */
function usePlace(data: SandboxPhone | undefined) {
  const [place, setPlace] = useState<Place>({ app: 'sms', peer: undefined, writingNew: false });
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const conversations = {
    sms: data ? conversationsOf(data, 'sms') : [],
    chat: data ? conversationsOf(data, 'chat') : [],
  };
  const calls = data?.received.calls ?? [];
  const open =
    place.app === 'calls' || place.app === 'mail'
      ? undefined
      : conversations[place.app].find(({ peer }) => peer === place.peer);
  const idsIn = (app: Place['app']) =>
    app === 'mail' ? [] : app === 'calls' ? calls.map(({ id }) => id) : idsOf(conversations[app]);
  const unseen = (app: Place['app']) => idsIn(app).filter((id) => !seen.has(id)).length;

  const received = data ? data.received.sms.length + data.received.chat.length + calls.length : undefined;
  const known = useRef<number>(undefined);
  // A tester who sends while viewing the phone expects the message itself, not only a counter.
  useEffect(() => {
    if (received === undefined) return;
    const first = known.current === undefined;
    const more = received > (known.current ?? 0);
    known.current = received;
    if (!more || !data) return;
    const sms = conversationsOf(data, 'sms')[0];
    const chat = conversationsOf(data, 'chat')[0];
    const { calls } = data.received;
    const latest = (
      [
        { app: 'sms', peer: sms?.peer, at: sms?.bubbles.at(-1)?.at },
        { app: 'chat', peer: chat?.peer, at: chat?.bubbles.at(-1)?.at },
        // A call appears when it has ended.
        { app: 'calls', peer: undefined, at: calls.length > 0 ? overAt(calls.at(-1)!) : undefined },
      ] as const
    ).reduce((one, other) => ((other.at ?? '') > (one.at ?? '') ? other : one));
    if (first) {
      setPlace({ app: latest.app, peer: undefined, writingNew: false });
      setSeen(
        new Set([
          ...idsOf([...conversationsOf(data, 'sms'), ...conversationsOf(data, 'chat')]),
          ...calls.map(({ id }) => id),
        ]),
      );
    }
    if (!first && latest.at !== undefined) {
      setPlace((now) =>
        now.peer === undefined && !now.writingNew && now.app !== 'mail'
          ? { app: latest.app, peer: latest.peer, writingNew: false }
          : now,
      );
    }
  }, [received, data]);
  const shownIds = (place.app === 'calls' ? idsIn('calls') : open ? idsOf([open]) : []).join();
  useEffect(() => {
    if (shownIds === '') return;
    setSeen((before) => new Set([...before, ...shownIds.split(',')]));
  }, [shownIds]);

  return { place, setPlace, seen, conversations, calls, open, unseen };
}

/** A sandbox phone: its SMS and chat conversations, live, and its owner's actions: write, press buttons, unsubscribe. */
export function Handset({ number, onClose }: { readonly number: string; readonly onClose?: () => void }) {
  const { handset } = useTexts();
  const phone = useSandboxPhone(number);
  const { place, setPlace, seen, conversations, calls, open, unseen } = usePlace(phone.data);
  const shownNumber = phone.data?.number ?? number;
  return (
    <section className="handset" aria-label={`${handset.phoneOf} ${shownNumber}`}>
      <div className="handset-screen">
        <header className="handset-status">
          <span>
            <Clock />
          </span>
          <span className="handset-number">
            <Phone number={shownNumber} />
          </span>
          {onClose && (
            <ActionIcon
              variant="transparent"
              color="gray"
              size="sm"
              onClick={onClose}
              aria-label={`${handset.removePhone}: ${shownNumber}`}
            >
              <X size={15} />
            </ActionIcon>
          )}
        </header>
        <Suspense fallback={<div className="handset-body" />}>
          {phone.error !== null && phone.data === undefined ? (
            <Problem error={phone.error} />
          ) : place.app === 'calls' ? (
            <Calls number={number} calls={calls} />
          ) : place.app === 'mail' ? (
            <MailApp number={number} />
          ) : open || place.writingNew ? (
            <Thread
              key={`${place.app} ${place.peer}`}
              number={number}
              app={place.app}
              conversation={open}
              onBack={() => setPlace({ ...place, peer: undefined, writingNew: false })}
              onBegun={(peer) => setPlace({ ...place, peer, writingNew: false })}
            />
          ) : (
            <ThreadList
              conversations={conversations[place.app]}
              seen={seen}
              onOpen={(peer) => setPlace({ ...place, peer })}
              onNew={() => setPlace({ ...place, writingNew: true })}
            />
          )}
        </Suspense>
        <AppBar
          number={number}
          current={place.app}
          unseen={unseen}
          onOpen={(app) => setPlace({ app, peer: undefined, writingNew: false })}
        />
      </div>
    </section>
  );
}

/** The apps of a phone, each with what is new in it. */
function AppBar({
  number,
  current,
  unseen,
  onOpen,
}: {
  readonly number: string;
  readonly current: Place['app'];
  readonly unseen: (app: Place['app']) => number;
  readonly onOpen: (app: Place['app']) => void;
}) {
  const { handset } = useTexts();
  return (
    <nav className="handset-apps" aria-label={handset.apps(number)}>
      {(['sms', 'chat', 'calls', 'mail'] as const).map((app) => {
        const Icon = icons[app];
        const count = unseen(app);
        return (
          <UnstyledButton
            key={app}
            className="handset-app"
            aria-current={current === app}
            onClick={() => onOpen(app)}
          >
            <Icon size={19} aria-hidden />
            <span>{handset[app]}</span>
            {count > 0 && (
              <span className="handset-count">
                <span aria-hidden>{count}</span>
                <span className="visually-hidden">{handset.unread(count)}</span>
              </span>
            )}
          </UnstyledButton>
        );
      })}
    </nav>
  );
}

const icons = { sms: MessageSquareText, chat: MessageCircle, calls: PhoneIcon, mail: Mail };

/** When a call ended, as the other times are written. */
const overAt = ({ at, seconds }: ReceivedCall) => new Date(Date.parse(at) + seconds * 1_000).toISOString();

/** Preview of a message in the list of conversations: its text, or its type. */
function lastWords(bubble: Bubble, handset: ReturnType<typeof useTexts>['handset']): string {
  if (bubble.text !== '') return bubble.text;
  const media = bubble.kind === 'rich' ? bubble.message.media : bubble.kind === 'sent' ? bubble.media : null;
  if (!media) return '';
  return media.voice ? handset.voiceNote : handset[media.type];
}

/** Ids of the received messages. */
function idsOf(list: readonly Conversation[]): string[] {
  return list.flatMap(({ bubbles }) => bubbles.filter(({ kind }) => kind !== 'sent').map(({ id }) => id));
}

function Problem({ error }: { readonly error: unknown }) {
  const texts = useTexts();
  return (
    <div className="handset-body handset-empty" role="alert">
      <p>{errorText(error, texts)}</p>
    </div>
  );
}

function Clock() {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 10_000);
    return () => clearInterval(timer);
  }, []);
  const timeZone = useTimeZone();
  return (
    <bdi dir="ltr">{now.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })}</bdi>
  );
}

function ThreadList({
  conversations,
  seen,
  onOpen,
  onNew,
}: {
  readonly conversations: readonly Conversation[];
  readonly seen: ReadonlySet<string>;
  readonly onOpen: (peer: string) => void;
  readonly onNew: () => void;
}) {
  const { handset } = useTexts();
  return (
    <div className="handset-body">
      {conversations.length === 0 ? (
        <EmptyScreen title={handset.noThreads} hint={handset.noThreadsHint} />
      ) : (
        <ul className="threads">
          {conversations.map(({ peer, bubbles }) => {
            const last = bubbles.at(-1)!;
            const fresh = bubbles.some(({ kind, id }) => kind !== 'sent' && !seen.has(id));
            return (
              <li key={peer}>
                <UnstyledButton
                  className="thread"
                  data-fresh={fresh || undefined}
                  onClick={() => onOpen(peer)}
                >
                  <Avatar name={peer} />
                  <span className="thread-texts">
                    <span className="thread-peer">
                      <Phone number={peer} />
                    </span>
                    <span className="thread-last" dir="auto">
                      {lastWords(last, handset)}
                    </span>
                  </span>
                </UnstyledButton>
              </li>
            );
          })}
        </ul>
      )}
      <ActionIcon
        className="handset-new"
        size={44}
        radius="xl"
        onClick={onNew}
        aria-label={handset.newMessage}
      >
        <PenLine size={19} />
      </ActionIcon>
    </div>
  );
}
