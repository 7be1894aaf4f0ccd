import { ActionIcon, Button, TextInput } from '@mantine/core';
import { ChevronLeft } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type ChatButton, usePhoneActions } from '../../api/sandbox-phone.ts';
import { useSession } from '../../api/session-context.ts';
import { Phone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ChatMessage } from './chat-message.tsx';
import { Composer } from './handset-composer.tsx';
import type { App, Bubble, Conversation } from './phone-conversations.ts';
import { Avatar, ClockTime, useNotice } from './screen.tsx';
import { TextBubble } from './text-bubble.tsx';

/** Peer of the conversation, or the input for a new one. */
function ThreadHead({
  peer,
  to,
  onTo,
  onBack,
}: {
  readonly peer: string | undefined;
  readonly to: string;
  readonly onTo: (to: string) => void;
  readonly onBack: () => void;
}) {
  const { handset } = useTexts();
  return (
    <div className="thread-head">
      <ActionIcon variant="subtle" color="gray" onClick={onBack} aria-label={handset.backToThreads}>
        <ChevronLeft size={19} className="mirrored" />
      </ActionIcon>
      {peer !== undefined ? (
        <>
          <Avatar name={peer} />
          <span className="thread-peer">
            <Phone number={peer} />
          </span>
        </>
      ) : (
        <TextInput
          size="xs"
          flex={1}
          aria-label={handset.to}
          placeholder={handset.to}
          value={to}
          dir="ltr"
          onChange={(event) => onTo(event.currentTarget.value)}
        />
      )}
    </div>
  );
}

/** Messages between the phone and one peer, or the beginning of a conversation. */
export default function Thread({
  number,
  app,
  conversation,
  onBack,
  onBegun,
}: {
  readonly number: string;
  readonly app: App;
  readonly conversation: Conversation | undefined;
  readonly onBack: () => void;
  readonly onBegun: (peer: string) => void;
}) {
  const { handset } = useTexts();
  const { sandbox } = useSession();
  const actions = usePhoneActions(number);
  const [to, setTo] = useState(app === 'chat' ? (sandbox?.chat_number ?? '') : '');
  const { notice, setNotice, act } = useNotice();
  const end = useRef<HTMLDivElement>(null);
  const count = conversation?.bubbles.length ?? 0;
  // As on a real phone, a sender name has no number to reply to.
  const namesItself = app === 'sms' && conversation !== undefined && !/^\+?\d+$/.test(conversation.peer);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when a bubble is added
  useEffect(() => {
    const body = end.current?.parentElement;
    if (body) body.scrollTop = body.scrollHeight;
  }, [count]);

  /** Does something for whom one writes with, and shows their conversation. */
  const reply = (what: (peer: string) => Promise<unknown>) =>
    act(async () => {
      const peer = conversation?.peer ?? to.trim();
      await what(peer);
      if (!conversation) onBack();
      else onBegun(peer);
    });
  const send = (written: string) =>
    reply((peer) => (app === 'sms' ? actions.sendSms(peer, written) : actions.sendChat(peer, written)));

  const press = (peer: string, message: string, button: ChatButton) =>
    act(async () => {
      const { opened } = await actions.press(
        peer,
        message,
        button.type === 'reply' ? button.id : button.text,
      );
      if (opened === undefined) return;
      const words = {
        url: handset.opened,
        call: handset.calling,
        copy: handset.copiedCode,
        reply: handset.opened,
      };
      setNotice(words[button.type](opened));
    });

  return (
    <>
      <ThreadHead peer={conversation?.peer} to={to} onTo={setTo} onBack={onBack} />
      <div className="handset-body bubbles" role="log" aria-live="polite">
        {conversation?.bubbles.map((bubble) => (
          <OneBubble
            key={`${bubble.kind} ${bubble.id}`}
            bubble={bubble}
            onPress={(message, button) => void press(conversation.peer, message, button)}
          />
        ))}
        <div ref={end} />
      </div>
      {notice}
      {namesItself ? (
        <p className="handset-notice">{handset.nameCannotBeAnswered}</p>
      ) : (
        <Composer
          onSend={send}
          {...(app === 'chat' && {
            onFile: (file) => reply((peer) => actions.sendFile(peer, file)),
            onLocation: (location) => reply((peer) => actions.sendLocation(peer, location)),
          })}
          onProblem={setNotice}
        >
          {app === 'sms' && conversation !== undefined && (
            <Button
              size="compact-xs"
              variant="default"
              radius="xl"
              title={handset.removeHint}
              onClick={() => void send(handset.removeWord)}
            >
              {handset.removeWord}
            </Button>
          )}
        </Composer>
      )}
    </>
  );
}

function OneBubble({
  bubble,
  onPress,
}: {
  readonly bubble: Bubble;
  readonly onPress: (message: string, button: ChatButton) => void;
}) {
  const { handset } = useTexts();
  return (
    <div className={`bubble-row ${bubble.kind === 'sent' ? 'mine' : ''}`}>
      {bubble.kind === 'sent' && <span className="visually-hidden">{handset.sent}: </span>}
      {bubble.kind === 'rich' ? (
        <ChatMessage content={bubble.message} onPress={(button) => onPress(bubble.id, button)} />
      ) : (
        <TextBubble bubble={bubble} />
      )}
      <ClockTime at={bubble.at} />
    </div>
  );
}
