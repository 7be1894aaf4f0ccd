import { Input, TextInput } from '@mantine/core';
import { Send } from 'lucide-react';
import { type ReactNode, useContext, useState } from 'react';
import { createPortal } from 'react-dom';
import { CarillonError } from '../../api/errors.ts';
import { Action } from '../../components/action.tsx';
import { writtenText } from '../../components/direction.ts';
import { hintBelow } from '../../components/form.tsx';
import { ErrorNote, problemText } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import type { DraftState, Leaving, Start } from './draft.ts';
import { DraftNote, DraftPlace, DraftProblem } from './draft-note.tsx';
import { type Estimate, FinishBar } from './finish-bar.tsx';
import './send.css';
import { useDialogs } from '../../components/dialogs.tsx';
import { amountText } from '../../components/values.tsx';

/** Properties of a channel's composer. */
export interface ComposerProps {
  readonly start: Start;
  readonly leaving: Leaving;
}

/**
 * Maps an error to the input that it concerns: its text there, and the error itself if it concerns no input. `places` maps
 * the fields of the service; `phones` are the numbers of the request, one of which an error can name.
 */
export function usePlacedRefusal<Place extends string>(
  error: unknown,
  places: Readonly<Record<string, Place>>,
  phones: readonly string[] = [],
): { readonly at: Partial<Readonly<Record<Place, string>>>; readonly rest: unknown } {
  const texts = useTexts();
  const [, field, index] =
    /^(\w+)(?:\[(\d+)\])?/.exec(error instanceof CarillonError ? (error.field ?? '') : '') ?? [];
  const place = field === undefined ? undefined : places[field];
  if (place === undefined) return { at: {}, rest: error };
  const problem = problemText(error as CarillonError, texts);
  const phone = index === undefined || field !== 'phones' ? undefined : phones[Number(index)];
  const text = phone === undefined ? problem : `\u2066${phone}\u2069: ${problem}`;
  return { at: { [place]: text } as Partial<Record<Place, string>>, rest: null };
}

/** Sends by a form: first shows its problems, and asks for a confirmation before a send to many. */
export function useSending(
  problems: Readonly<Record<string, string | undefined>>,
  isMany: boolean,
  send: () => Promise<void>,
) {
  const [tried, setTried] = useState(false);
  const { busy, error, run } = useTask(send);
  const problem = Object.values(problems).find((one) => one !== undefined);
  return {
    problem,
    busy,
    error,
    isMany,
    run,
    send,
    /** Shows all problems from now on; returns whether there are no problems. */
    check: () => {
      setTried(true);
      return problem === undefined;
    },
    /** Whether what is wrong is shown already. */
    tried: tried && problem !== undefined,
    /** Problem of a field, hidden until the first attempt to send. */
    shown: (one: string | undefined) => (tried ? one : undefined),
  };
}

/** Fields of a send, its preview, its estimate, and the button that sends it. */
export function SendForm({
  sending,
  later,
  draft,
  estimate,
  hint,
  side,
  note,
  isWide = false,
  alert,
  test,
  children,
}: {
  readonly sending: ReturnType<typeof useSending>;
  /** It is scheduled rather than sent. */
  readonly later: boolean;
  /** Absent for what is not kept as a draft. */
  readonly draft?: DraftState;
  readonly estimate: {
    readonly data: Estimate | undefined;
    readonly busy: boolean;
    readonly error: unknown;
    readonly atMost?: boolean;
  };
  /** Shown while no estimate is possible. */
  readonly hint: string;
  /** Preview of the message as a recipient gets it. */
  readonly side: ReactNode;
  readonly note?: string | undefined;
  /** The preview is wider than a phone. */
  readonly isWide?: boolean;
  /** Problem of the account, above the figures. */
  readonly alert?: ReactNode;
  /** Button of a test, before the one that sends. */
  readonly test?: ReactNode;
  readonly children: ReactNode;
}) {
  const { send: t } = useTexts();
  const language = useLanguage();
  const { problem, tried, busy, isMany, check, run, send } = sending;
  const { ask } = useDialogs();
  const draftPlace = useContext(DraftPlace);
  const { data, ...state } = estimate;
  const action = later ? t.schedule : t.send;
  function onSubmit(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!check()) return;
    if (!isMany) return void run();
    const figures =
      data && ([data.recipients.toLocaleString(language), amountText(data.cost, language)] as const);
    const text = figures ? (later ? t.confirmLater : t.confirm)(...figures) : t.confirmUncounted;
    ask({ title: t.confirmTitle, text, action, run: send });
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      {children}
      {Boolean(side) && (
        <div className="compose-side" data-wide={isWide || undefined}>
          <div>{side}</div>
        </div>
      )}
      <FinishBar
        estimate={data}
        note={note}
        hint={tried ? undefined : hint}
        {...state}
        alerts={
          <>
            <ErrorNote error={sending.error} />
            {draft && <DraftProblem draft={draft} />}
            {alert}
            {tried && <Input.Error role="alert">{problem}</Input.Error>}
          </>
        }
      >
        {test}
        <Action icon={Send} mirrored type="submit" size="md" loading={busy}>
          {action}
        </Action>
      </FinishBar>
      {draft && draftPlace && createPortal(<DraftNote draft={draft} />, draftPlace)}
    </form>
  );
}

/** The name of a campaign, which only the account sees. */
export function CampaignName({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const { send: t } = useTexts();
  return (
    <TextInput
      label={t.campaignName}
      description={t.campaignNameHint}
      {...hintBelow}
      {...writtenText}
      maxLength={50}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      w={{ base: '100%', xs: 240 }}
    />
  );
}
