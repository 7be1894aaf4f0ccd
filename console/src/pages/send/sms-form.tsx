import { ActionIcon, Anchor, Autocomplete, Checkbox, Group, Menu, Select, Textarea } from '@mantine/core';
import { Braces, Trash2 } from 'lucide-react';
import { client } from '../../api/client.ts';
import type { Answer, RequestBody } from '../../api/operations.ts';
import { useChoices } from '../../api/paging.ts';
import { useAnswer } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { writtenText } from '../../components/direction.ts';
import { useInsertion } from '../../components/insertion.ts';
import { Muted, TextLink } from '../../components/text.tsx';
import { Amount } from '../../components/values.tsx';
import { useEstimate } from '../../features/composing/use-estimate.ts';
import { PhonePreview } from '../../features/handset/phone-preview.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ChooseRecipients } from './choose-recipients.tsx';
import { useDraft } from './draft.ts';
import { type HoursChoice, noHours, readHours, timingBody } from './hours-choice.ts';
import { type InsertedLink, InsertLink } from './insert-link.tsx';
import { CALL_ONLY, ReadAloud, type Speech, type Spoken } from './read-aloud.tsx';
import { chosenOf, MANY, nobody, recipientsOf, recipientsProblem } from './recipients.ts';
import { CampaignName, type ComposerProps, SendForm, usePlacedRefusal, useSending } from './send-form.tsx';
import { useSent } from './sent.ts';
import { WhenAndHours } from './when.tsx';

const FIELDS = [1, 2, 3, 4, 5, 6];
const RECENT_DAYS = [1, 3, 7, 14];
const fieldPattern = /\[DYNAMIC_FIELD([1-6])\]/g;

type Removal = 'none' | 'link' | 'reply';
type Measure = Answer<'/v1/sms/estimate', 'POST'>;

const empty = {
  source: '',
  message: '',
  links: [] as readonly InsertedLink[],
  speech: null as Speech | null,
  removal: 'none' as Removal,
  recipients: nobody,
  international: false,
  recentDays: 0,
  name: '',
  /** '' is now, else ISO 8601. */
  at: '',
  hours: noHours as HoursChoice,
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
} as const;

/** The request that a draft makes, but for its sender and name; `dynamic` when it has fields of a list. */
function bodyOf(draft: Draft, dynamic: boolean, dueAt: Date | null) {
  const { message, links, removal, speech, recipients, international, recentDays } = draft;
  const { phones, lists } = chosenOf(recipients);
  return {
    message,
    links: links.filter(({ id }) => message.includes(`[link-${id}]`)).map(({ id, url }) => ({ id, url })),
    dynamic,
    removal: removal === 'none' ? null : removal,
    tts: speech,
    phones: [...phones],
    lists: [...lists],
    includes_international: international,
    recent_days: recentDays === 0 ? null : recentDays,
    ...timingBody(dueAt, draft.hours),
  };
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
  speech: (request.tts as Speech | null | undefined) ?? null,
  removal: request.removal ?? 'none',
  recipients: recipientsOf(request.phones as string[] | undefined, request.lists),
  international: request.includes_international ?? false,
  recentDays: request.recent_days ?? 0,
  name: request.campaign_name ?? '',
  hours: readHours(request),
});

/** Returns the names of a contact list's fields by their numbers; without a list, only the numbers. */
function useFieldName(list: string | undefined): (field: number) => string {
  const { send: t } = useTexts();
  const contactLists = useChoices('/v1/contact-lists', (answer) => answer.contact_lists);
  const columns = contactLists.data?.find(({ id }) => id === list)?.columns ?? [];
  return (field) => columns[field - 1] || t.field(field);
}

/** One text to phones, contact lists or a file. */
export default function SmsForm({ start, leaving }: ComposerProps) {
  const texts = useTexts();
  const { send: t } = texts;
  const sent = useSent();
  const composed = useDraft('sms', start, empty, read, ({ name, message }) => name.trim() || message);
  const { values: draft, change } = composed;
  leaving.current = composed.mayLeave;
  const { source, message, speech, recipients, name, at } = draft;
  const sources = useAnswer('/v1/sources');
  const senders = sources.data?.sources.filter(({ kind }) => kind !== 'mail');

  const { phones, lists } = chosenOf(recipients);
  const oneList = lists.length === 1 && phones.length === 0 ? lists[0] : undefined;
  const fieldName = useFieldName(oneList);
  const dueAt = at === '' ? null : new Date(at);
  const isWritten = message.trim() !== '';
  const hasFields = message.match(fieldPattern) !== null;
  const body = bodyOf(draft, hasFields && oneList !== undefined, dueAt);
  const { estimate, measure } = useSmsEstimate(isWritten ? body : undefined);
  const spoken = speech === null ? undefined : (estimate.data?.voice ?? undefined);
  const problems = {
    source: source.trim() === '' ? t.noSender : undefined,
    message: isWritten ? (hasFields && oneList === undefined ? t.fieldsWantOneList : undefined) : t.noText,
    recipients: recipientsProblem(recipients, texts),
    at: dueAt !== null && dueAt.getTime() < Date.now() ? t.past : undefined,
    aloud: spokenProblem(spoken, t.aloud),
  };
  const sending = useSending(problems, lists.length > 0 || phones.length > MANY, async () => {
    const named = name.trim() !== '' && { campaign_name: name.trim() };
    const data = await client.POST('/v1/sms', { body: { ...body, source: source.trim(), ...named } });
    void composed.draft.remove();
    await sent(data.shipment_id, phones.length === 1 && lists.length === 0, dueAt !== null);
  });
  const refusal = usePlacedRefusal(estimate.error ?? sending.error, refusalPlaces, phones);
  const withNames = message.replace(fieldPattern, (_, field: string) => `«${fieldName(Number(field))}»`);
  const preview = estimate.data?.preview ?? (hasFields ? withNames : (estimate.data?.text ?? message));
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
        speech?.type !== CALL_ONLY && (
          <PhonePreview
            sender={source.trim() || t.sender}
            content={{ header: null, body: preview, footer: '', buttons: [], cards: [] }}
          />
        )
      }
      footer={senders?.length === 0 && !sources.data?.any && <NoSources />}
    >
      <Card title={t.message}>
        <Autocomplete
          label={t.sender}
          description={t.senderHint}
          dir="ltr"
          data={senders?.map((one) => one.source) ?? []}
          value={source}
          onChange={(value) => change({ source: value })}
          error={sending.shown(problems.source) ?? refusal.at.source}
          maxLength={50}
          maw={320}
        />
        <MessageText
          draft={draft}
          change={change}
          fieldName={fieldName}
          measure={measure}
          error={sending.shown(problems.message) ?? refusal.at.message}
        />
        <ReadAloud
          value={speech}
          onChange={(value) => change({ speech: value })}
          message={message}
          spoken={spoken}
        />
        <Group gap="md" align="flex-start">
          <ChooseRemoval value={draft.removal} onChange={(removal) => change({ removal })} />
          <CampaignName value={name} onChange={(value) => change({ name: value })} />
        </Group>
      </Card>
      <Audience
        draft={draft}
        change={change}
        problems={{
          recipients: sending.shown(problems.recipients) ?? refusal.at.recipients,
          at: problems.at ?? refusal.at.at,
          hours: refusal.at.hours,
        }}
      />
    </SendForm>
  );
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

/** The text with its length, and what can be put into it. */
function MessageText({
  draft: { message, links, speech },
  change,
  fieldName,
  measure,
  error,
}: {
  readonly draft: Draft;
  readonly change: Change;
  readonly fieldName: (field: number) => string;
  readonly measure: Measure | undefined;
  readonly error: string | undefined;
}) {
  const { send: t } = useTexts();
  const { area, insert } = useInsertion(message, (text) => change({ message: text }));
  return (
    <>
      <div>
        <Textarea
          ref={area}
          label={t.text}
          placeholder={t.textPlaceholder}
          {...writtenText}
          autosize
          minRows={4}
          maxRows={14}
          maxLength={2_000}
          value={message}
          onChange={(event) => change({ message: event.currentTarget.value })}
          error={error}
        />
        <div className="text-measure" aria-live="polite">
          {!measure && <span>{message.trim() === '' ? t.writeFirst : t.estimating}</span>}
          {measure &&
            (speech?.type === CALL_ONLY ? <span>{t.aloud.onlyCalls}</span> : <Length measure={measure} />)}
        </div>
      </div>
      <Group gap="xs">
        <InsertLink
          links={links}
          onInsert={(link) => {
            change({ links: [...links, link] });
            insert(`[link-${link.id}]`, true);
          }}
        />
        <Menu position="bottom-start">
          <Menu.Target>
            <Action icon={Braces} size="xs" variant="default" title={t.insertFieldHint}>
              {t.insertField}
            </Action>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{t.insertFieldHint}</Menu.Label>
            {FIELDS.map((field) => (
              <Menu.Item key={field} onClick={() => insert(`[DYNAMIC_FIELD${field}]`)}>
                <bdi>{fieldName(field)}</bdi>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Links links={links} message={message} change={change} />
    </>
  );
}

/** How many parts a text has, and what each costs. */
function Length({ measure }: { readonly measure: Measure }) {
  const { send: t } = useTexts();
  return (
    <>
      <b>{t.parts(measure.parts)}</b>
      <span title={t.encodingHint[measure.encoding]}>{t.encodings[measure.encoding]}</span>
      <span>{t.left(measure.units_left)}</span>
      <span>
        {t.partPrice}: <Amount value={measure.part_price} />
      </span>
    </>
  );
}

function Links({ links, message, change }: Pick<Draft, 'links' | 'message'> & { change: Change }) {
  const { send: t } = useTexts();
  if (links.length === 0) return null;
  return (
    <ul className="link-list" aria-label={t.links}>
      {links.map((link) => (
        <li key={link.id}>
          <bdi dir="ltr">[link-{link.id}]</bdi>
          <Anchor href={link.url} target="_blank" rel="noreferrer" size="sm" dir="ltr">
            {link.url}
          </Anchor>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t.removeLink(link.id)}
            onClick={() =>
              change({
                links: links.filter((one) => one !== link),
                message: message.replaceAll(`[link-${link.id}]`, ''),
              })
            }
          >
            <Trash2 size={14} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}

/** Recipients and time of a send. */
function Audience({
  draft: { recipients, recentDays, international, at, hours },
  change,
  problems,
}: {
  readonly draft: Draft;
  readonly change: Change;
  readonly problems: Readonly<Record<'recipients' | 'at' | 'hours', string | undefined>>;
}) {
  const { send: t } = useTexts();
  const anybody = { value: '0', label: t.recentDays.none };
  return (
    <Card title={t.to}>
      <ChooseRecipients
        value={recipients}
        onChange={(value) => change({ recipients: value })}
        error={problems.recipients}
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
      <WhenAndHours {...{ at, hours, change }} past={problems.at} refused={problems} />
    </Card>
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
