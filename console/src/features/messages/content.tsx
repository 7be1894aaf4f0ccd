import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { forAccount } from '../../api/acting.ts';
import type { Answer } from '../../api/operations.ts';
import type { ChatButton, ChatContent } from '../../api/sandbox-phone.ts';
import { Card } from '../../components/card.tsx';
import { HiddenNote, useHides } from '../../components/hidden-note.tsx';
import { MailCard } from '../../components/mail-card.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { CallPreview } from '../handset/call-preview.tsx';
import { Linked } from '../handset/linked.tsx';
import { PhonePreview, TextPreview } from '../handset/phone-preview.tsx';
import { useMailViews } from '../mail/mail-views.tsx';
import { Listen } from './listen.tsx';
import './content.css';

type Content = Answer<'/v1/messages/{id}/content'>;
type Chat = NonNullable<Content['chat']>;

const FRAME_HEIGHT = 420;
/** Placeholder for secrets. */
const MASK = '••••';

/** Content of a message as the recipient's phone or mail program shows it. `lead` and `children` precede it. */
export function ContentCard({
  query,
  sender,
  lead,
  children,
}: {
  readonly query: {
    readonly data: Content | undefined;
    readonly error: unknown;
    readonly refetch: () => Promise<unknown>;
  };
  readonly sender: string;
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
}) {
  const { messages: t } = useTexts();
  const hides = useHides('message-text');
  const views = useMailViews();
  const { mail } = query.data ?? {};
  if (mail && !hides) {
    const { subject, html, text } = mail;
    return (
      <MailCard
        title={t.content}
        lead={lead}
        html={html}
        text={text}
        height={FRAME_HEIGHT}
        views={views({ html, text })}
      >
        {children}
        <Text fw={600} dir="auto">
          {subject}
        </Text>
      </MailCard>
    );
  }
  return (
    <Card title={t.content} lead={hides ? undefined : lead}>
      {children}
      <HiddenNote kind="message-text" />
      {!hides && <Fetched query={query}>{(content) => <Shown content={content} sender={sender} />}</Fetched>}
    </Card>
  );
}

function Shown({
  content: { text, chat, call, text_removed: isRemoved },
  sender,
}: {
  readonly content: Content;
  readonly sender: string;
}) {
  const { messages: t, campaigns } = useTexts();
  if (isRemoved) return <Muted>{t.textRemoved}</Muted>;
  if (chat) return <PhonePreview sender={sender} channel="chat" content={chatContentOf(chat)} />;
  const named = (words: string) =>
    words.replace(/\[DYNAMIC_FIELD([1-6])\]/g, (_, number: string) => campaigns.field(number));
  if (!call) return text ? <TextPreview sender={sender} text={named(text)} /> : <Muted>{t.noText}</Muted>;
  return (
    <Stack gap="sm">
      {text && text !== call.text && (
        <p className="message-text" dir="auto">
          <Linked text={named(text)} />
        </p>
      )}
      <CallPreview sender={sender} text={named(call.text)}>
        <Muted size="xs">{t.spoken(call.repeat)}</Muted>
        <Listen speech={call} disabled={call.text.includes(MASK)} />
      </CallPreview>
    </Stack>
  );
}

/** A chat message as the handset has it. */
export function chatContentOf({ header, media, body, footer, offer, buttons, cards }: Chat): ChatContent {
  const headerOf = ({ kind, value }: NonNullable<Chat['header']>) =>
    kind === 'text' ? { type: kind, text: value } : { type: kind, link: value };
  return {
    header: header && headerOf(header),
    media: media && {
      type: media.kind,
      url: forAccount(`/v1/media/${media.media_id}/file`),
      fileName: media.file_name,
      voice: media.voice,
    },
    body: offer === '' ? body : `🎁 ${offer}\n\n${body}`,
    footer,
    buttons: buttons.map(buttonOf),
    cards: cards.map((card) => ({
      header: headerOf(card.header),
      body: card.body,
      buttons: card.buttons.map(buttonOf),
    })),
  };
}

function buttonOf({ kind, text, value }: Chat['buttons'][number], index: number): ChatButton {
  switch (kind) {
    case 'reply':
      return { type: kind, id: String(index), text };
    case 'url':
      return { type: kind, text, url: value };
    case 'call':
      return { type: kind, text, number: value };
    case 'copy':
      return { type: kind, text, code: value };
  }
}
