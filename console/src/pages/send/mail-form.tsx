import { Autocomplete, Group, SimpleGrid, TextInput } from '@mantine/core';
import { client } from '../../api/client.ts';
import type { RequestBody } from '../../api/operations.ts';
import { useChoices } from '../../api/paging.ts';
import { writtenText } from '../../components/direction.ts';
import { hintBelow } from '../../components/form.tsx';
import { TextLink } from '../../components/text.tsx';
import { useEstimate } from '../../features/composing/use-estimate.ts';
import { lacksButtonText } from '../../features/mail/blocks/button-text.ts';
import { MailBody } from '../../features/mail/mail-body.tsx';
import { noWords, storedWords, wordsOf } from '../../features/mail/mail-words.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ChooseLists } from './choose-lists.tsx';
import { useDraft } from './draft.ts';
import { type HoursChoice, noHours, readHours, timingBody } from './hours-choice.ts';
import { MailPreview, useMailPreview } from './mail-preview.tsx';
import { Part } from './part.tsx';
import { CampaignName, type ComposerProps, SendForm, usePlacedRefusal, useSending } from './send-form.tsx';
import { useSent } from './sent.ts';
import { TryMail } from './try-mail.tsx';
import { useComposerTexts } from './use-composer-texts.ts';
import { SaveAsTemplate, UseTemplate } from './use-mail-template.tsx';
import { useSender } from './use-senders.ts';
import { WhenAndHours } from './when.tsx';

const empty = {
  fromName: '',
  fromAddress: '',
  replyTo: '',
  ...noWords,
  lists: [] as readonly string[],
  name: '',
  /** '' is now, else ISO 8601. */
  at: '',
  hours: noHours as HoursChoice,
};
type Draft = typeof empty;
type Change = (changes: Partial<Draft>) => void;

/** Inputs that show the service's error of a field. */
const refusalPlaces = {
  from: 'from',
  subject: 'subject',
  html: 'content',
  text: 'content',
  lists: 'to',
  at: 'at',
  sending_hours: 'hours',
} as const;

function contentOf({ fromName, fromAddress, replyTo, lists, ...words }: Draft) {
  const { blocks: _, ...content } = storedWords(words);
  return {
    from: { name: fromName.trim(), address: fromAddress.trim() },
    reply_to: replyTo.trim() || null,
    ...content,
    lists: lists.map(Number),
  };
}

/** The content with a placeholder address until a sender is chosen, because the preview works before. */
const withSender = ({ from, ...content }: ReturnType<typeof contentOf>) => ({
  ...content,
  from: { ...from, address: from.address || 'preview@example.com' },
});

/** Problem of the content; undefined when it can be sent. */
function contentProblem(
  isWritten: boolean,
  blocks: Draft['blocks'],
  { mailCampaigns, mailEditor }: ReturnType<typeof useTexts>,
): string | undefined {
  if (lacksButtonText(blocks)) return mailEditor.emptyButton;
  return isWritten ? undefined : mailCampaigns.noContent;
}

/** Values of the composer for a request that was sent before, or for a template. */
const read = (
  request: Partial<RequestBody<'/v1/mail/campaigns'> & Pick<Draft, 'blocks'>>,
): Partial<Draft> => ({
  ...wordsOf(request),
  fromName: request.from?.name ?? '',
  fromAddress: request.from?.address ?? '',
  replyTo: request.reply_to ?? '',
  lists: request.lists?.map(String) ?? [],
  name: request.name ?? '',
  hours: readHours(request),
});

/** A mail to lists. */
export default function MailForm({ start, leaving }: ComposerProps) {
  const texts = useTexts();
  const { mailCampaigns: t, send: words } = texts;
  const sent = useSent();
  const composed = useDraft('mail', start, empty, read, (mail) => mail.name.trim() || mail.subject);
  const { values: draft, change } = composed;
  leaving.current = composed.mayLeave;
  const { subject, lists, name, at, hours } = draft;
  const from = useSender('mail', draft.fromAddress, (value) => change({ fromAddress: value }));
  const mailLists = useChoices('/v1/mail/lists', (answer) => answer.lists);
  const dueAt = at === '' ? null : new Date(at);
  const content = contentOf({ ...draft, fromAddress: from.sender });
  const isWritten = content.html !== null || content.text !== null;
  const problems = {
    subject: subject.trim() === '' ? t.noSubject : undefined,
    content: contentProblem(isWritten, draft.blocks, texts),
    from: content.from.address === '' ? t.noFrom : undefined,
    to: lists.length === 0 ? t.noTo : undefined,
    at: dueAt !== null && dueAt.getTime() < Date.now() ? words.past : undefined,
  };
  const body = { ...content, name: name.trim() || null, ...timingBody(dueAt, hours) };
  const sending = useSending(problems, true, async () => {
    const data = await client.POST('/v1/mail/campaigns', { body });
    void composed.draft.remove();
    await sent(data.id, false, at !== '');
  });
  const canPreview = isWritten && subject.trim() !== '';
  const preview = useMailPreview(canPreview ? withSender(content) : undefined, lists[0]);
  const isReady = sending.problem === undefined;
  const failure = preview.error ?? sending.error;
  const estimate = useEstimate('mail-estimate', isReady ? body : undefined, async (wanted) => {
    const data = await client.POST('/v1/mail/campaigns/estimate', { body: wanted });
    return { ...data, enough: Number(data.balance) >= Number(data.cost) };
  });
  const refusal = usePlacedRefusal(estimate.error ?? failure, refusalPlaces);
  return (
    <SendForm
      sending={{ ...sending, error: sending.error && refusal.rest }}
      later={at !== ''}
      draft={composed.draft}
      isWide
      estimate={{ ...estimate, error: estimate.error && refusal.rest }}
      hint={sending.problem ?? words.estimating}
      side={
        <MailPreview
          preview={preview.data}
          flip={preview.flip}
          from={`${content.from.name} ${content.from.address}`.trim()}
          error={preview.error && refusal.rest}
        />
      }
      test={
        <TryMail
          disabled={(problems.subject ?? problems.content ?? problems.from) !== undefined}
          send={async (to) => {
            const data = await client.POST('/v1/mail/campaigns/test', { body: { ...content, to } });
            return data.mails;
          }}
        />
      }
    >
      <Part title={texts.shell.sections.audience}>
        <ChooseLists
          query={mailLists}
          countOf={({ active }) => active}
          texts={t}
          none={
            <>
              {t.noLists}{' '}
              <TextLink href="/mailing-lists" size="sm" underline="always">
                {t.makeList}
              </TextLink>
            </>
          }
          value={lists}
          onChange={(value) => change({ lists: value })}
          error={sending.shown(problems.to) ?? refusal.at.to}
        />
      </Part>
      <Content
        draft={draft}
        change={change}
        sender={from.input}
        errors={{
          from: sending.shown(problems.from) ?? refusal.at.from,
          subject: sending.shown(problems.subject) ?? refusal.at.subject,
          content: sending.shown(problems.content) ?? refusal.at.content,
        }}
      />
      <WhenAndHours
        {...{ at, hours, change }}
        refused={{ at: problems.at ?? refusal.at.at, hours: refusal.at.hours }}
      />
    </SendForm>
  );
}

/** Sender, subject and text of the mail. */
function Content({
  draft,
  change,
  sender,
  errors,
}: {
  readonly draft: Draft;
  readonly change: Change;
  /** Properties of the input of the sender address. */
  readonly sender: ReturnType<typeof useSender>['input'];
  readonly errors: Readonly<Record<'from' | 'subject' | 'content', string | undefined>>;
}) {
  const { mailCampaigns: t } = useTexts();
  const { content } = useComposerTexts();
  const text = (name: 'fromName' | 'replyTo' | 'subject', maxLength: number) => ({
    label: t[name],
    maxLength,
    value: draft[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => change({ [name]: event.currentTarget.value }),
  });
  const mailLists = useChoices('/v1/mail/lists', (answer) => answer.lists);
  const chosen = mailLists.data?.filter(({ id }) => draft.lists.includes(id)) ?? [];
  const columns = [...new Set(chosen.flatMap((list) => list.columns))];
  return (
    <Part
      title={content}
      actions={
        <Group gap="xs">
          <UseTemplate words={draft} onUse={change} />
          <SaveAsTemplate words={draft} />
        </Group>
      }
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput {...writtenText} {...text('fromName', 100)} />
        <Autocomplete label={t.fromAddress} {...hintBelow} {...sender} error={errors.from} maxLength={320} />
      </SimpleGrid>
      <TextInput description={t.replyToHint} {...hintBelow} dir="ltr" {...text('replyTo', 320)} />
      <TextInput {...writtenText} {...text('subject', 500)} error={errors.subject} />
      <MailBody words={draft} onChange={change} columns={columns} error={errors.content} />
      <CampaignName value={draft.name} onChange={(value) => change({ name: value })} />
    </Part>
  );
}
