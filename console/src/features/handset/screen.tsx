import { Button, TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTimeZone } from '../../api/session-context.ts';
import { errorText } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { localeOf } from '../../i18n/languages.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';

/** Stands where an app has nothing to show. */
export function EmptyScreen({ title, hint }: { readonly title: string; readonly hint: string }) {
  return (
    <div className="handset-empty">
      <p className="handset-empty-title">{title}</p>
      <p>{hint}</p>
    </div>
  );
}

/** Sign of a peer: the first letter of a name, or that of a number. */
export function Avatar({ name }: { readonly name: string }) {
  const letter = /\p{L}/u.exec(name)?.[0] ?? '#';
  return (
    <span className="thread-avatar" aria-hidden>
      {letter.toUpperCase()}
    </span>
  );
}

/** Notice of the last action on the phone: `act` runs an action, shows its error, and returns whether it succeeded. */
export function useNotice() {
  const texts = useTexts();
  const [text, setNotice] = useState<string>();
  async function act(what: () => Promise<unknown>): Promise<boolean> {
    setNotice(undefined);
    try {
      await what();
      return true;
    } catch (error) {
      setNotice(errorText(error, texts));
      return false;
    }
  }
  const notice = text !== undefined && (
    <p className="handset-notice" role="status" dir="auto">
      {text}
    </p>
  );
  return { notice, setNotice, act };
}

/** One-line input with a button; `onSend` returns whether to clear the input. `children` precede the input. */
export function LineForm({
  label,
  action,
  icon,
  initial = '',
  isReady = (text) => text.trim() !== '',
  onSend,
  children,
  ...input
}: Omit<TextInputProps, 'label' | 'value' | 'onChange'> & {
  readonly label: string;
  readonly action: string;
  readonly icon?: ReactNode;
  readonly initial?: string;
  readonly isReady?: (text: string) => boolean;
  readonly onSend: (text: string) => Promise<boolean>;
  readonly children?: ReactNode;
}) {
  const [text, setText] = useState(initial);
  const { busy, run } = useTask(async () => {
    if (await onSend(text)) setText('');
  });
  return (
    <form
      className="handset-compose"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady(text)) void run();
      }}
    >
      {children}
      <TextInput
        size="xs"
        radius="xl"
        flex={1}
        aria-label={label}
        placeholder={label}
        {...input}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button
        type="submit"
        size="compact-sm"
        radius="xl"
        leftSection={icon}
        loading={busy}
        disabled={!isReady(text)}
      >
        {action}
      </Button>
    </form>
  );
}

/** Formats the time of day of a message. */
export function useClock(): (at: string) => string {
  const language = useLanguage();
  const timeZone = useTimeZone();
  return (at) =>
    new Date(at).toLocaleTimeString(localeOf(language), { hour: '2-digit', minute: '2-digit', timeZone });
}

/** Time of day of a message or call. */
export function ClockTime({ at }: { readonly at: string }) {
  const clock = useClock();
  return (
    <time dateTime={at} className="bubble-time">
      <bdi dir="ltr">{clock(at)}</bdi>
    </time>
  );
}
