import { Button } from '@mantine/core';
import { Contact, MapPin, Phone as PhoneIcon, ShoppingBag } from 'lucide-react';
import type { TimelineItem } from '../../api/conversation-queries.ts';
import { useDialogs } from '../../components/dialogs.tsx';
import { MailText, ReceivedMailFrame } from '../../components/mail-frame.tsx';
import { Phone } from '../../components/values.tsx';
import { Linked } from '../../features/handset/linked.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { isMedia, MediaFile, type MediaType } from './media.tsx';

/* A received message, by its type. `content` comes from the platform, so nothing relies on its structure. */

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

/** Text of a message with its links; nothing for an empty text. */
function Words({ text }: { readonly text: string }) {
  if (text === '') return null;
  return (
    <p dir="auto">
      <Linked text={text} />
    </p>
  );
}

/** Any received message. `text` is its current text. */
export function Received({ item, text }: { readonly item: TimelineItem; readonly text: string }) {
  const { type, unreadable } = item;
  const content = fieldsOf(item.content);
  const { conversations: t } = useTexts();
  return (
    <>
      <Origin content={content} />
      {unreadable !== null ? (
        <>
          <p>{t.unreadable}</p>
          <code dir="ltr">{unreadable.replace(/(..)(?=.)/g, '$1 ')}</code>
        </>
      ) : (
        <Body type={type ?? 'text'} content={content} text={text} />
      )}
    </>
  );
}

function Body({
  type,
  content,
  text,
}: {
  readonly type: string;
  readonly content: Fields;
  readonly text: string;
}) {
  const { conversations: t } = useTexts();
  if (isMedia(type)) return <Media type={type} content={content} text={text} />;
  switch (type) {
    case 'location':
      return <Location content={content} />;
    case 'contacts':
      return <Contacts content={content} />;
    case 'order':
      return <Order content={content} text={text} />;
    case 'button':
    case 'list':
      return (
        <>
          <p className="bubble-kind">{type === 'button' ? t.pressed : t.chose}</p>
          <Words text={text} />
          <Words text={textOf(content.description)} />
        </>
      );
    case 'mail':
      return <Mail content={content} text={text} />;
    case 'flow':
      return <Answers content={content} text={text} />;
    case 'system':
    case 'unsupported':
    case 'other':
      return (
        <>
          <p className="bubble-kind">{t.types[type]}</p>
          <Words text={text} />
        </>
      );
    default:
      return <Words text={text} />;
  }
}

/** Note that a message came from an advertisement or was forwarded. */
function Origin({ content }: { readonly content: Fields }) {
  const { conversations: t } = useTexts();
  const referral = fieldsOf(content.referral);
  const address = textOf(referral.source_url);
  const words = textOf(referral.headline) || textOf(referral.body) || address;
  return (
    <>
      {content.referral !== undefined && (
        <p className="bubble-kind">
          {t.referral}
          {words !== '' && ': '}
          {/^https?:\/\//.test(address) ? (
            <a href={address} target="_blank" rel="noreferrer">
              <bdi>{words}</bdi>
            </a>
          ) : (
            <bdi>{words}</bdi>
          )}
        </p>
      )}
      {content.forwarded === true && <p className="bubble-kind">{t.forwarded}</p>}
    </>
  );
}

function Media({
  type,
  content,
  text,
}: {
  readonly type: MediaType;
  readonly content: Fields;
  readonly text: string;
}) {
  const id = textOf(content.media_id);
  const isVoice = type === 'audio' && content.voice === true;
  return (
    <>
      <MediaFile
        type={type}
        id={/^\d+$/.test(id) ? id : ''}
        isVoice={isVoice}
        name={textOf(content.file_name)}
      />
      <Words text={text} />
    </>
  );
}

function Location({ content }: { readonly content: Fields }) {
  const { conversations: t } = useTexts();
  const { latitude, longitude } = content;
  const place = encodeURIComponent(`${textOf(latitude)},${textOf(longitude)}`);
  const map = `https://www.openstreetmap.org/?mlat=${encodeURIComponent(textOf(latitude))}&mlon=${encodeURIComponent(textOf(longitude))}#map=16/${place.replace('%2C', '/')}`;
  const name = [textOf(content.name), textOf(content.address)].filter((one) => one !== '').join(', ');
  return (
    <span className="bubble-file">
      <MapPin size={22} aria-hidden />
      <span>
        {t.types.location}
        <br />
        {name !== '' ? <bdi>{name}</bdi> : <bdi dir="ltr">{`${textOf(latitude)}, ${textOf(longitude)}`}</bdi>}
        <br />
        <a href={map} target="_blank" rel="noreferrer">
          {t.openMap}
        </a>
      </span>
    </span>
  );
}

function Contacts({ content }: { readonly content: Fields }) {
  const { conversations: t } = useTexts();
  return listOf(content.contacts).map((card, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: cards have nothing but their place
    <span key={index} className="bubble-file">
      <Contact size={22} aria-hidden />
      <span>
        {t.types.contacts}: <bdi>{textOf(card.name)}</bdi>
        {listOf(card.phones).map(({ phone }) => (
          <span key={textOf(phone)}>
            <br />
            <PhoneIcon size={12} aria-hidden /> <Phone number={textOf(phone)} />
          </span>
        ))}
        {listOf(card.emails).map(({ email }) => (
          <span key={textOf(email)}>
            <br />
            <bdi dir="ltr">{textOf(email)}</bdi>
          </span>
        ))}
      </span>
    </span>
  ));
}

function Order({ content, text }: { readonly content: Fields; readonly text: string }) {
  const { conversations: t } = useTexts();
  const language = useLanguage();
  const items = listOf(content.items);
  return (
    <>
      <span className="bubble-file">
        <ShoppingBag size={22} aria-hidden />
        <span>
          {t.types.order} · {t.items(items.length)}
        </span>
      </span>
      <ul className="bubble-items">
        {items.map(({ product_retailer_id: id, quantity, item_price: price, currency }) => (
          <li key={textOf(id)}>
            <bdi dir="ltr">{textOf(id)}</bdi> × {Number(quantity).toLocaleString(language)}
            {textOf(price) !== '' && (
              <>
                {' · '}
                <bdi dir="ltr">{`${textOf(price)} ${textOf(currency)}`}</bdi>
              </>
            )}
          </li>
        ))}
      </ul>
      <Words text={text} />
    </>
  );
}

/** An email: its subject, its text and its attachments; a button opens the whole email with quoted text. */
function Mail({ content, text }: { readonly content: Fields; readonly text: string }) {
  const { conversations: t } = useTexts();
  const { open } = useDialogs();
  const [subject, html, whole] = [content.subject, content.html, content.whole_text].map(textOf);
  const names = Array.isArray(content.attachments) ? content.attachments.map(textOf) : [];
  const show = () =>
    open(
      subject || t.mail,
      html ? <ReceivedMailFrame html={html} title={t.mail} height={420} /> : <MailText text={whole!} />,
    );
  return (
    <>
      <p className="bubble-title" dir="auto">
        {subject}
      </p>
      {textOf(content.automatic) !== '' && <p className="bubble-kind">{t.automatic}</p>}
      <Words text={text} />
      {names.length > 0 && (
        <ul className="bubble-items" aria-label={t.attachments}>
          {names.map((name) => (
            <li key={name}>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      )}
      {(html !== '' || whole!.trim() !== text.trim()) && (
        <Button size="compact-xs" variant="subtle" onClick={show}>
          {t.wholeMail}
        </Button>
      )}
    </>
  );
}

/** The answers of a form. */
function Answers({ content, text }: { readonly content: Fields; readonly text: string }) {
  const { conversations: t } = useTexts();
  const answers = Object.entries(fieldsOf(content.response)).filter(([name]) => name !== 'flow_token');
  return (
    <>
      <p className="bubble-kind">{t.types.flow}</p>
      <Words text={text} />
      <ul className="bubble-items">
        {answers.map(([name, value]) => (
          <li key={name}>
            <bdi>{name}</bdi>: <bdi>{textOf(value) || JSON.stringify(value)}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
