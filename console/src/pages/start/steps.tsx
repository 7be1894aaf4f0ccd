import { Check, Ellipsis, X } from 'lucide-react';
import { useTexts } from '../../i18n/use-texts.tsx';

/** When a message took each step, in ISO 8601; null: not yet. */
export interface Times {
  readonly acceptedAt: string | null;
  readonly submittedAt: string | null;
  readonly endedAt: string | null;
  /** Why it failed, once it has. */
  readonly failure: string | null;
}

/** The steps of a message, each lighting up when it is done. */
export function Steps({ times }: { readonly times: Times }) {
  const { start } = useTexts();
  const { steps } = start;
  const { acceptedAt, submittedAt, endedAt, failure } = times;
  const since = (at: string | null, hint: string) =>
    at === null || acceptedAt === null
      ? hint
      : `${hint} · ${start.afterMilliseconds(Date.parse(at) - Date.parse(acceptedAt))}`;
  const rows = [
    { title: steps.accepted, hint: steps.acceptedHint, at: acceptedAt, bad: false },
    {
      title: steps.submitted,
      hint: since(submittedAt, steps.submittedHint),
      at: submittedAt,
      bad: false,
    },
    failure === null
      ? { title: steps.delivered, hint: since(endedAt, steps.deliveredHint), at: endedAt, bad: false }
      : { title: steps.failed, hint: failure, at: endedAt, bad: true },
  ];
  return (
    <ol className="way" aria-live="polite">
      {rows.map(({ title, hint, at, bad }) => (
        <li key={title} data-state={at === null ? 'open' : bad ? 'bad' : 'done'}>
          <span className="way-mark" aria-hidden>
            {at === null ? <Ellipsis size={17} /> : bad ? <X size={17} /> : <Check size={17} />}
          </span>
          <span>
            <span className="way-title">{title}</span>
            <span className="way-hint">{hint}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
