import { ActionIcon, Button, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { ChevronLeft } from 'lucide-react';
import { useState } from 'react';
import {
  answerMail,
  isOneClick,
  type ReceivedMail,
  removalOf,
  unsubscribe,
  useMailbox,
} from '../../api/mailbox.ts';
import { writtenText } from '../../components/direction.ts';
import { useMailFormat } from '../../components/mail-card.tsx';
import { MailFrame, MailText } from '../../components/mail-frame.tsx';
import { errorText } from '../../components/states.tsx';
import { Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { EmptyScreen, LineForm, useNotice } from './screen.tsx';

/** Mail app of a phone: the mailbox of an address that the person enters, and its emails. */
export default function MailApp({ number }: { readonly number: string }) {
  const { mailbox: t } = useTexts();
  const [address, setAddress] = useLocalStorage({
    key: `carillon-mailbox-${number}`,
    defaultValue: `phone-${number.replace(/\D/g, '')}@example.com`,
    getInitialValueInEffect: false,
  });
  const mailbox = useMailbox(address);
  const [read, setRead] = useState<string>();
  const mail = mailbox.data?.find(({ id }) => id === read);
  if (mail) return <OneMail key={mail.id} address={address} mail={mail} onBack={() => setRead(undefined)} />;
  return (
    <>
      <LineForm
        key={address}
        label={t.address}
        action={t.open}
        initial={address}
        isReady={(typed) => typed.trim() !== '' && typed.trim() !== address}
        onSend={async (typed) => {
          setAddress(typed.trim());
          return false;
        }}
        dir="ltr"
        inputMode="email"
      />
      <MailList mails={mailbox.data} error={mailbox.error} onRead={setRead} />
    </>
  );
}

function MailList({
  mails,
  error,
  onRead,
}: {
  readonly mails: readonly ReceivedMail[] | undefined;
  readonly error: unknown;
  readonly onRead: (id: string) => void;
}) {
  const texts = useTexts();
  const { mailbox: t } = texts;
  if (mails === undefined) {
    return (
      <div className="handset-body handset-empty" {...(error !== null && { role: 'alert' })}>
        {error !== null && <p>{errorText(error, texts)}</p>}
      </div>
    );
  }
  return (
    <div className="handset-body" role="log" aria-live="polite">
      {mails.length === 0 ? (
        <EmptyScreen title={t.none} hint={t.noneHint} />
      ) : (
        <ul className="threads">
          {mails.map((mail) => (
            <li key={mail.id}>
              <UnstyledButton className="thread" onClick={() => onRead(mail.id)}>
                <span className="thread-texts">
                  <span className="thread-peer">
                    <bdi>{mail.from}</bdi>
                  </span>
                  <span className="thread-subject" dir="auto">
                    {mail.subject || t.noSubject}
                  </span>
                  <span className="thread-last">
                    <Time at={mail.at} />
                  </span>
                </span>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function OneMail({
  address,
  mail,
  onBack,
}: {
  readonly address: string;
  readonly mail: ReceivedMail;
  readonly onBack: () => void;
}) {
  const { mailbox: t } = useTexts();
  const { html, text } = mail;
  const { control, isHtml } = useMailFormat(html || null, text || null);
  const { notice, setNotice, act } = useNotice();
  const removal = removalOf(mail);
  const press = (address: string) =>
    act(async () => {
      await unsubscribe(address);
      setNotice(t.unsubscribed);
    });
  return (
    <>
      <div className="thread-head">
        <ActionIcon variant="subtle" color="gray" onClick={onBack} aria-label={t.back}>
          <ChevronLeft size={19} className="mirrored" />
        </ActionIcon>
        <span className="thread-texts">
          <span className="thread-peer" dir="auto">
            {mail.subject || t.noSubject}
          </span>
          <span className="thread-last">
            <bdi>{mail.from}</bdi>
          </span>
        </span>
      </div>
      <div className="mail-tools">
        {control}
        {removal !== undefined && (
          <span className="mail-removal">
            {isOneClick(mail) && (
              <Button
                size="compact-xs"
                variant="default"
                radius="xl"
                title={t.unsubscribeHint}
                onClick={() => void press(removal)}
              >
                {t.unsubscribe}
              </Button>
            )}
            <a href={removal} target="_blank" rel="noreferrer">
              {t.removalPage}
            </a>
          </span>
        )}
      </div>
      {notice}
      {isHtml ? (
        <div className="handset-body mail-body">
          <MailFrame html={html} title={t.mail} height="100%" />
        </div>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long mails are scrolled with the keyboard too
        <section className="handset-body mail-body" aria-label={t.mail} tabIndex={0}>
          <MailText text={text} />
        </section>
      )}
      <LineForm
        label={t.answer}
        action={t.send}
        onSend={(typed) =>
          act(async () => {
            await answerMail(address, mail.id, typed);
            setNotice(t.answered);
          })
        }
        {...writtenText}
      />
    </>
  );
}
