import { ActionIcon, UnstyledButton } from '@mantine/core';
import {
  ChevronLeft,
  ChevronRight,
  Copy,
  ExternalLink,
  FileText,
  Image,
  Phone,
  Play,
  Reply,
} from 'lucide-react';
import { useRef, useState } from 'react';
import type { ChatButton, ChatCard, ChatContent, ChatHeader } from '../../api/sandbox-phone.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { Linked } from './linked.tsx';
import { MediaFile } from './media-file.tsx';

/** Presses a button; absent, buttons are only shown, as in a preview. */
type Press = (button: ChatButton) => void;

/** A chat message as a phone shows it: header, text, footer, buttons, cards. */
export function ChatMessage({
  content,
  onPress,
}: {
  readonly content: ChatContent;
  readonly onPress?: Press;
}) {
  const { header, media, body, footer, buttons, cards } = content;
  return (
    <>
      <div className="bubble received rich">
        {header && <Header header={header} />}
        {media && <MediaFile media={media} />}
        {body !== '' && (
          <p dir="auto">
            <Linked text={body} />
          </p>
        )}
        {footer !== '' && (
          <p className="bubble-footer" dir="auto">
            {footer}
          </p>
        )}
        <Buttons buttons={buttons} {...(onPress && { onPress })} />
      </div>
      {cards.length > 0 && <Carousel cards={cards} {...(onPress && { onPress })} />}
    </>
  );
}

function Header({ header }: { readonly header: ChatHeader }) {
  if (header.type === 'text') {
    return (
      <p className="bubble-title" dir="auto">
        {header.text}
      </p>
    );
  }
  return <Media key={header.link} type={header.type} link={header.link} />;
}

const mediaIcons = { image: Image, video: Play, document: FileText };

/** A picture or video; a tile with its type when loading fails. */
function Media({ type, link }: { readonly type: 'image' | 'video' | 'document'; readonly link: string }) {
  const { handset } = useTexts();
  const [failed, setFailed] = useState(false);
  const Icon = mediaIcons[type];
  const fail = () => setFailed(true);
  if (type === 'image' && !failed)
    return <img src={link} alt={handset.image} className="bubble-media" onError={fail} />;
  if (type === 'video' && !failed) {
    // biome-ignore lint/a11y/useMediaCaption: the files come from other people and have no captions
    return <video src={link} controls className="bubble-media" onError={fail} aria-label={handset.video} />;
  }
  const name = link.split(/[?#]/)[0]!.split('/').at(-1);
  return (
    <a href={link} target="_blank" rel="noreferrer" className="bubble-media bubble-tile">
      <Icon size={26} aria-hidden />
      <span>{handset[type]}</span>
      <bdi dir="ltr">{name}</bdi>
    </a>
  );
}

const buttonIcons = { reply: Reply, url: ExternalLink, call: Phone, copy: Copy };

function Buttons({
  buttons,
  onPress,
}: {
  readonly buttons: readonly ChatButton[];
  readonly onPress?: Press;
}) {
  if (buttons.length === 0) return null;
  return (
    <div className="bubble-buttons">
      {buttons.map((button) => {
        const Icon = buttonIcons[button.type];
        return (
          <UnstyledButton
            key={`${button.type} ${button.text}`}
            className="bubble-button"
            onClick={() => onPress?.(button)}
            disabled={!onPress}
          >
            <Icon size={14} aria-hidden className={button.type === 'reply' ? 'mirrored' : ''} />
            <span dir="auto">{button.text}</span>
          </UnstyledButton>
        );
      })}
    </div>
  );
}

function Carousel({ cards, onPress }: { readonly cards: readonly ChatCard[]; readonly onPress?: Press }) {
  const { handset } = useTexts();
  const strip = useRef<HTMLUListElement>(null);
  const [position, setPosition] = useState(0);
  function show(next: number) {
    setPosition(next);
    strip.current?.children[next]?.scrollIntoView({ block: 'nearest', inline: 'start', behavior: 'smooth' });
  }
  return (
    <div className="carousel">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: in a preview no button of a card has the focus, and cards are scrolled */}
      <ul ref={strip} tabIndex={0}>
        {cards.map((card, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cards have nothing but their place
          <li key={index} className="bubble received rich" aria-label={handset.card(index + 1, cards.length)}>
            <Header header={card.header} />
            {card.body !== '' && <p dir="auto">{card.body}</p>}
            <Buttons buttons={card.buttons} {...(onPress && { onPress })} />
          </li>
        ))}
      </ul>
      <div className="carousel-steps">
        <ActionIcon
          size="sm"
          variant="default"
          radius="xl"
          disabled={position === 0}
          onClick={() => show(position - 1)}
          aria-label={handset.previousCard}
        >
          <ChevronLeft size={14} className="mirrored" />
        </ActionIcon>
        <span aria-live="polite">{handset.card(position + 1, cards.length)}</span>
        <ActionIcon
          size="sm"
          variant="default"
          radius="xl"
          disabled={position === cards.length - 1}
          onClick={() => show(position + 1)}
          aria-label={handset.nextCard}
        >
          <ChevronRight size={14} className="mirrored" />
        </ActionIcon>
      </div>
    </div>
  );
}
