import { Autocomplete, Checkbox, Group, Select } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { client } from '../../api/client.ts';
import type { Answer, RequestBody } from '../../api/operations.ts';
import { Muted, TextLink } from '../../components/text.tsx';
import { unknownName, withNames, withoutNames } from '../../features/composing/placeholders.ts';
import { useEstimate } from '../../features/composing/use-estimate.ts';
import type { Dictionary } from '../../i18n/en.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ChooseRecipients } from './choose-recipients.tsx';
import { useDraft } from './draft.ts';
import { type FallbackChannel, type FallbackChoice, fallbackBody } from './fallback-choice.ts';
import { type HoursChoice, noHours, readHours, timingBody } from './hours-choice.ts';
import { type InsertedLink, linkOf } from './insert-link.tsx';
import { Part } from './part.tsx';
import {
  CALL_ONLY,
  callOnly,
  ReadAloud,
  type SpeechChoice,
  type Spoken,
  SpokenPreview,
} from './read-aloud.tsx';
import { chosenOf, MANY, nobody, recipientsOf, recipientsProblem } from './recipients.ts';
import { CampaignName, type ComposerProps, SendForm, usePlacedRefusal, useSending } from './send-form.tsx';
import { useSent } from './sent.ts';
import { SmsPreview } from './sms-preview.tsx';
import { MessageText, useListFields } from './sms-text.tsx';
import { TrySms } from './try-sms.tsx';
import { useComposerTexts } from './use-composer-texts.ts';
import { useSender } from './use-senders.ts';
import { WhenAndHours } from './when.tsx';

const Fallback = lazy(() => import('./fallback.tsx'));

const RECENT_DAYS = [1, 3, 7, 14];
const fieldPattern = /\[DYNAMIC_FIELD[1-6]\]/;

type Removal = 'none' | 'link' | 'reply';

const empty = {
  source: '',
  message: '',
  links: [] as readonly InsertedLink[],
  speech: null as SpeechChoice | null,
  removal: 'none' as Removal,
  recipients: nobody,
  international: false,
  recentDays: 0,
  name: '',
  /** '' is now, else ISO 8601. */
  at: '',
  hours: noHours as HoursChoice,
  fallback: null as FallbackChoice | null,
};
type Draft = typeof empty;
type Change = (changes: Partial<Draft>) => void;

/** Inputs that show the service's error of a field. */
const refusalPlaces = {
  source: 'source',
  message: 'message',
  links: 'message',
  dynamic: 'message',
  phones: 'recipients',
  lists: 'recipients',
  includes_international: 'recipients',
  at: 'at',
  sending_hours: 'hours',
  fallback: 'fallback',
} as const;

/** The request that a draft makes, but for its sender and name; `dynamic` when it has fields of a list. */
function bodyOf(draft: Draft, dynamic: boolean, dueAt: Date | null) {
  const { message, links, removal, speech, recipients, international, recentDays } = draft;
  const { phones, lists } = chosenOf(recipients);
  return {
    message,
    links: links.filter(({ id }) => message.includes(linkOf(id))).map(({ id, url }) => ({ id, url })),
    dynamic,
    removal: removal === 'none' ? null : removal,
    tts: speech && speech.type !== null ? { ...speech, type: speech.type } : null,
    phones: [...phones],
    lists: [...lists],
    includes_international: international,
    recent_days: recentDays === 0 ? null : recentDays,
    ...timingBody(dueAt, draft.hours),
    ...fallbackBody(draft.fallback, firstChannel(speech)),
  };
}

/** Channel of a send; null for an SMS that is also read aloud. */
function firstChannel(speech: SpeechChoice | null): FallbackChannel | null {
  if (speech === null) return 'sms';
  return speech.type === CALL_ONLY ? 'voice' : null;
}

/** Estimate of a send, and the length of its text even when the recipients are refused. */
function useSmsEstimate(body: ReturnType<typeof bodyOf> | undefined) {
  const ask = (asked: ReturnType<typeof bodyOf>) => client.POST('/v1/sms/estimate', { body: asked });
  const estimate = useEstimate('sms-estimate', body, ask);
  const textAlone =
    body && estimate.error !== null ? { ...body, dynamic: false, phones: [], lists: [] } : undefined;
  const alone = useEstimate('sms-measure', textAlone, ask);
  return { estimate, measure: estimate.data ?? alone.data };
}

/** Values of the composer for a request that was sent before. */
const read = (request: Partial<RequestBody<'/v1/sms'>>): Partial<Draft> => ({
  source: request.source ?? '',
  message: request.message ?? '',
  links: request.links ?? [],
  speech: (request.tts as SpeechChoice | null | undefined) ?? null,
  removal: request.removal ?? 'none',
  recipients: recipientsOf(request.phones as string[] | undefined, request.lists),
  international: request.includes_international ?? false,
  recentDays: request.recent_days ?? 0,
  name: request.campaign_name ?? '',
  hours: readHours(request),
});

/** The same for a call: how it was read aloud stays, and an SMS becomes a call. */
const readCall = (request: Partial<RequestBody<'/v1/sms'>>): Partial<Draft> => {
  const values = read(request);
  return { ...values, speech: { ...(values.speech ?? callOnly), type: CALL_ONLY } };
};
const emptyCall: Draft = { ...empty, speech: callOnly };

/** One text to phones, contact lists or a file. `isCall`: calls read it aloud, and no SMS is sent. */
export default function SmsForm({
  start,
  leaving,
  isCall = false,
}: ComposerProps & { readonly isCall?: boolean }) {
  const texts = useTexts();
  const { send: t } = texts;
  const sent = useSent();
  const [beginning, reader] = isCall ? [emptyCall, readCall] : [empty, read];
  const composed = useDraft('sms', start, beginning, reader, ({ name, message }) => name.trim() || message);
  const { change } = composed;
  leaving.current = composed.mayLeave;
  const { speech, recipients, name, at } = composed.values;
  const from = useSender('sms', composed.values.source, (value) => change({ source: value }));
  const source = from.sender;

  const { phones, lists } = chosenOf(recipients);
  const oneList = lists.length === 1 && phones.length === 0 ? lists[0] : undefined;
  const fields = useListFields(oneList);
  // A field may have been named before its list was chosen.
  const message = withoutNames(composed.values.message, fields);
  const draft = { ...composed.values, message };
  const dueAt = at === '' ? null : new Date(at);
  const isWritten = message.trim() !== '';
  const hasFields = fieldPattern.test(message);
  const body = bodyOf(draft, hasFields && oneList !== undefined, dueAt);
  const { estimate, measure } = useSmsEstimate(isWritten ? body : undefined);
  const spoken = speech === null ? undefined : (estimate.data?.voice ?? undefined);
  const problems = {
    source: source.trim() === '' ? t.noSender : undefined,
    message: messageProblem(message, oneList, t),
    recipients: recipientsProblem(recipients, texts),
    at: dueAt !== null && dueAt.getTime() < Date.now() ? t.past : undefined,
    delivery: speech !== null && speech.type === null ? t.aloud.noType : undefined,
    aloud: spokenProblem(spoken, t.aloud),
  };
  const sending = useSending(problems, lists.length > 0 || phones.length > MANY, async () => {
    const named = name.trim() !== '' && { campaign_name: name.trim() };
    const data = await client.POST('/v1/sms', { body: { ...body, source: source.trim(), ...named } });
    void composed.draft.remove();
    await sent(data.shipment_id, phones.length === 1 && lists.length === 0, dueAt !== null);
  });
  const refusal = usePlacedRefusal(estimate.error ?? sending.error, refusalPlaces, phones);
  const preview =
    estimate.data?.preview ?? (hasFields ? withNames(message, fields) : (estimate.data?.text ?? message));
  return (
    <SendForm
      sending={{ ...sending, error: sending.error && refusal.rest }}
      later={at !== ''}
      draft={composed.draft}
      estimate={{
        ...estimate,
        error: refusal.rest,
        data: problems.recipients === undefined ? estimate.data : undefined,
      }}
      hint={isWritten ? (problems.recipients ?? Object.values(refusal.at)[0] ?? t.estimating) : t.writeFirst}
      side={
        <MessagePreview
          {...{ speech, message, spoken }}
          sender={source.trim() || t.sender}
          body={isWritten ? body : undefined}
          text={preview}
        />
      }
      test={
        <TrySms
          body={body}
          source={source.trim()}
          list={hasFields ? oneList : undefined}
          ownNumbers={from.ownNumbers}
          disabled={
            (problems.source ?? problems.message ?? problems.delivery ?? problems.aloud) !== undefined
          }
        />
      }
      alert={from.isWithout && <NoSources />}
    >
      <Audience
        draft={draft}
        change={change}
        error={sending.shown(problems.recipients) ?? refusal.at.recipients}
      />
      <Content
        {...{ draft, change, fields, measure, spoken, isCall }}
        sender={from.input}
        errors={{
          source: sending.shown(problems.source) ?? refusal.at.source,
          message: sending.shown(problems.message) ?? refusal.at.message,
          delivery: sending.shown(problems.delivery),
        }}
      />
      <WhenAndHours
        {...{ at, change }}
        hours={draft.hours}
        refused={{ at: problems.at ?? refusal.at.at, hours: refusal.at.hours }}
      />
      <IfItFails {...{ draft, change, hasFields }} estimate={estimate.data} error={refusal.at.fallback} />
    </SendForm>
  );
}

/** The preview of an SMS, or of the call that replaces it. */
function MessagePreview({
  speech,
  message,
  spoken,
  ...sms
}: {
  readonly speech: SpeechChoice | null;
  readonly message: string;
  readonly spoken: Spoken | undefined;
} & React.ComponentProps<typeof SmsPreview>) {
  if (speech?.type !== CALL_ONLY) return <SmsPreview {...sms} />;
  return <SpokenPreview sender={sms.sender} {...{ speech, message, spoken }} />;
}

/** The message: its sender, text, calls, and how recipients unsubscribe. */
function Content({
  draft: { message, links, speech, removal, name },
  change,
  fields,
  measure,
  spoken,
  sender,
  errors,
  isCall,
}: {
  readonly draft: Draft;
  readonly isCall: boolean;
  readonly change: Change;
  readonly spoken: Spoken | undefined;
  readonly sender: ReturnType<typeof useSender>['input'];
  readonly errors: Readonly<Record<'source' | 'message' | 'delivery', string | undefined>>;
} & Pick<React.ComponentProps<typeof MessageText>, 'fields' | 'measure'>) {
  const { send: t } = useTexts();
  const { content } = useComposerTexts();
  return (
    <Part title={content}>
      <Autocomplete label={t.sender} {...sender} error={errors.source} maxLength={50} maw={320} />
      <MessageText
        {...{ message, links, change, fields, measure }}
        callsOnly={speech?.type === CALL_ONLY}
        error={errors.message}
      />
      <ReadAloud
        value={speech}
        onChange={(value) => change({ speech: value })}
        message={message}
        spoken={spoken}
        error={errors.delivery}
        isCall={isCall}
      />
      <Group gap="md" align="flex-start">
        {!isCall && <ChooseRemoval value={removal} onChange={(value) => change({ removal: value })} />}
        <CampaignName value={name} onChange={(value) => change({ name: value })} />
      </Group>
    </Part>
  );
}

/** Choice of a second message, for a send by one channel. */
function IfItFails({
  draft: { fallback, speech },
  change,
  hasFields,
  estimate,
  error,
}: {
  readonly draft: Draft;
  readonly change: Change;
  readonly hasFields: boolean;
  readonly estimate: Pick<Answer<'/v1/sms/estimate', 'POST'>, 'fallback'> | undefined;
  readonly error: string | undefined;
}) {
  const first = firstChannel(speech);
  if (first === null) return null;
  return (
    <Suspense>
      <Fallback
        {...{ first, error }}
        estimate={estimate?.fallback}
        value={fallback}
        onChange={(value) => change({ fallback: value })}
        needsText={hasFields}
      />
    </Suspense>
  );
}

/** Problem of a text; `list` is the only list, whose fields the text may have. */
function messageProblem(
  message: string,
  list: string | undefined,
  t: Dictionary['send'],
): string | undefined {
  if (message.trim() === '') return t.noText;
  if (fieldPattern.test(message) && list === undefined) return t.fieldsWantOneList;
  const unknown = unknownName(message);
  return unknown && t.noSuchField(unknown);
}

/** How recipients get themselves off the list: by a link, a reply, or not. */
function ChooseRemoval({
  value,
  onChange,
}: {
  readonly value: Removal;
  readonly onChange: (removal: Removal) => void;
}) {
  const { send: t } = useTexts();
  return (
    <Select
      label={t.removal}
      data={(['none', 'link', 'reply'] as const).map((one) => ({ value: one, label: t.removals[one] }))}
      value={value}
      onChange={(one) => onChange((one ?? 'none') as Removal)}
      allowDeselect={false}
      w={{ base: '100%', xs: 170 }}
    />
  );
}

/** Problem that prevents a text from being read aloud. */
function spokenProblem(spoken: Spoken | undefined, t: { cannot: string; nothing: string }) {
  if (spoken === undefined) return undefined;
  if (spoken.problem !== null) return `${t.cannot}: ${spoken.problem}`;
  return spoken.text === '' ? t.nothing : undefined;
}

/** Recipients of a send, and who of them is left out. */
function Audience({
  draft: { recipients, recentDays, international },
  change,
  error,
}: {
  readonly draft: Draft;
  readonly change: Change;
  readonly error: string | undefined;
}) {
  const { send: t, shell } = useTexts();
  const anybody = { value: '0', label: t.recentDays.none };
  return (
    <Part title={shell.sections.audience}>
      <ChooseRecipients
        value={recipients}
        onChange={(value) => change({ recipients: value })}
        error={error}
      />
      <Group gap="lg" align="flex-end">
        <Select
          label={t.recent}
          data={[
            anybody,
            ...RECENT_DAYS.map((days) => ({ value: String(days), label: t.recentDays.days(days) })),
          ]}
          value={String(recentDays)}
          onChange={(value) => change({ recentDays: Number(value ?? 0) })}
          allowDeselect={false}
          w={{ base: '100%', xs: 280 }}
        />
        <Checkbox
          label={t.international}
          checked={international}
          onChange={(event) => change({ international: event.currentTarget.checked })}
          pb={8}
        />
      </Group>
    </Part>
  );
}

function NoSources() {
  const { send: t } = useTexts();
  return (
    <Muted size="xs">
      {t.noSources}{' '}
      <TextLink href="/sources" size="xs">
        {t.toSources}
      </TextLink>
    </Muted>
  );
}
