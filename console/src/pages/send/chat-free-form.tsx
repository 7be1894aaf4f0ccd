import { client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import { problemText } from '../../components/states.tsx';
import {
  type ButtonsRequest,
  buttonsBody,
  buttonsProblems,
  type CarouselRequest,
  carouselBody,
  carouselProblems,
  limitOf,
  type Problems,
  shownCarousel,
  shownMessage,
} from '../../features/composing/free-form.ts';
import { ButtonsFields, CarouselFields } from '../../features/composing/free-form-fields.tsx';
import { useEstimate } from '../../features/composing/use-estimate.ts';
import { PhonePreview } from '../../features/handset/phone-preview.tsx';
import type { Dictionary } from '../../i18n/en.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import type { ChatDraft } from './chat-draft.ts';
import { shipmentOf } from './chat-request.ts';
import { ChatWindow, useChatWindow } from './chat-window.tsx';
import type { DraftState } from './draft.ts';
import { OneRecipient } from './one-recipient.tsx';
import { Part } from './part.tsx';
import { readPhones } from './recipients.ts';
import { SendForm, useSending } from './send-form.tsx';
import { useSent } from './sent.ts';
import { useComposerTexts } from './use-composer-texts.ts';

type FreeFormKind = 'buttons' | 'carousel';
type Request =
  | { readonly kind: 'buttons'; readonly body: ButtonsRequest }
  | { readonly kind: 'carousel'; readonly body: CarouselRequest };

/** A message with buttons, or a carousel, to one recipient who has written within 24 hours. */
export function ChatFreeForm({
  kind,
  source,
  choice,
  draft,
  change,
  saved,
}: {
  readonly kind: FreeFormKind;
  /** The business number. */
  readonly source: string;
  /** Chooses it, and what kind of message it is. */
  readonly choice: React.ReactNode;
  readonly draft: ChatDraft;
  readonly change: (changes: Partial<ChatDraft>) => void;
  readonly saved: DraftState;
}) {
  const texts = useTexts();
  const { send: t } = texts;
  const { content } = useComposerTexts();
  const language = useLanguage();
  const sent = useSent();
  const { buttons, carousel, recipients } = draft;
  const { phones, bad } = readPhones(recipients.typed);
  const to = phones.length === 1 && bad.length === 0 ? phones[0] : undefined;
  const window = useChatWindow(source, to);
  const problems = kind === 'buttons' ? buttonsProblems(texts, buttons) : carouselProblems(texts, carousel);
  const closed = window.state?.problem ?? null;
  const sending = useSending(
    {
      to: to === undefined ? t.code.onePhone : undefined,
      window: closed === null ? undefined : t.freeForm.problems[closed],
      message: Object.values(problems).some(Boolean) ? t.freeForm.incomplete : undefined,
    },
    false,
    async () => {
      const shipment = await send(requestOf(kind, source, to!, draft));
      void saved.remove();
      await sent(shipment, true, false);
    },
  );
  // Without an open window, the service refuses the send, so no estimate is requested.
  const isReady = sending.problem === undefined && window.state?.open === true;
  const estimate = useEstimate(
    'chat-free-form-estimate',
    isReady ? requestOf(kind, source, to!, draft) : undefined,
    estimateOf,
  );
  const refusal = refusalOf(estimate.error ?? sending.error ?? window.error, problems, texts);
  /** A text over its limit shows its problem immediately; other problems appear after an attempt to send. */
  function errorAt(path: string): string | undefined {
    const isOver = valueAt(kind === 'buttons' ? buttons : carousel, path).length > limitOf(path);
    const problem = isOver ? problems[path] : sending.shown(problems[path]);
    return problem ?? refusal.at[path];
  }
  const { data } = estimate;
  return (
    <SendForm
      sending={{ ...sending, error: sending.error && refusal.rest }}
      later={false}
      draft={saved}
      estimate={{ ...estimate, error: refusal.rest, data: data && { ...data, recipients: 1 } }}
      hint={sending.problem ?? Object.values(refusal.at)[0] ?? t.estimating}
      note={data && noteOf(data, t, language)}
      side={
        <PhonePreview
          sender={source}
          channel="chat"
          content={kind === 'buttons' ? shownMessage(buttons) : shownCarousel(carousel)}
        />
      }
    >
      <OneRecipient
        lead={t.freeForm.lead}
        phone={recipients.typed}
        onChange={(typed) => change({ recipients: { ...recipients, kind: 'phones', typed } })}
        error={sending.shown(to === undefined ? t.code.onePhone : undefined) ?? refusal.at.to}
      >
        <ChatWindow state={window.state} onTemplate={() => change({ kind: 'template' })} />
      </OneRecipient>
      <Part title={content}>
        {choice}
        {kind === 'buttons' ? (
          <ButtonsFields value={buttons} onChange={(value) => change({ buttons: value })} errorAt={errorAt} />
        ) : (
          <CarouselFields
            value={carousel}
            onChange={(value) => change({ carousel: value })}
            errorAt={errorAt}
          />
        )}
      </Part>
    </SendForm>
  );
}

function requestOf(
  kind: FreeFormKind,
  source: string,
  to: string,
  { buttons, carousel }: ChatDraft,
): Request {
  const addresses = { source, to };
  return kind === 'buttons'
    ? { kind, body: { ...addresses, ...buttonsBody(buttons) } }
    : { kind, body: { ...addresses, ...carouselBody(carousel) } };
}

/** Sends the message. Returns the id of its shipment. */
async function send(request: Request): Promise<string> {
  const data =
    request.kind === 'buttons'
      ? await client.POST('/v1/chat/buttons', { body: request.body })
      : await client.POST('/v1/chat/carousels', { body: request.body });
  return shipmentOf(data.id);
}

async function estimateOf(request: Request) {
  const data =
    request.kind === 'buttons'
      ? await client.POST('/v1/chat/buttons/estimate', { body: request.body })
      : await client.POST('/v1/chat/carousels/estimate', { body: request.body });
  return data;
}

/** Components of the price. */
function noteOf(
  { opens_conversation, free_left }: { readonly opens_conversation: boolean; readonly free_left: number },
  t: Dictionary['send'],
  language: string,
): string {
  const conversation = opens_conversation ? t.opens : t.freeForm.conversationOpen;
  return `${conversation} ${free_left > 0 ? t.freeForm.freeLeft(free_left, free_left.toLocaleString(language)) : t.freeForm.noneFree}`;
}

/** Text at a path such as `cards[1].replies[0].text`; '' when it is missing. */
function valueAt(draft: object, path: string): string {
  const value = path
    .split(/[.[\]]+/)
    .filter(Boolean)
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], draft);
  return typeof value === 'string' ? value : '';
}

/** Splits an error: a problem at the field it concerns, and the rest when that field is not on the screen. */
function refusalOf(error: unknown, problems: Problems, texts: Dictionary): { at: Problems; rest: unknown } {
  const field = error instanceof CarillonError ? error.field : undefined;
  if (field === undefined || !(field === 'to' || Object.hasOwn(problems, field)))
    return { at: {}, rest: error };
  return { at: { [field]: problemText(error as CarillonError, texts) }, rest: null };
}
