import { useChoices } from '../../api/paging.ts';
import { useAnswer } from '../../api/queries.ts';
import { ErrorNote } from '../../components/states.tsx';
import { TemplateFields } from '../../features/composing/template-fields.tsx';
import {
  filledContent,
  isPersonal,
  lacksValues,
  type Needs,
  namedFields,
  needsOf,
  noValues,
  type Values,
} from '../../features/composing/template-values.ts';
import { useEstimate } from '../../features/composing/use-estimate.ts';
import { PhonePreview } from '../../features/handset/phone-preview.tsx';
import { chatContentOf } from '../../features/messages/content.tsx';
import type { Template } from '../../features/templates/template-data.ts';
import type { Dictionary } from '../../i18n/en.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type ChatDraft, noMapping } from './chat-draft.ts';
import { estimateOf, requestOf, sendChat } from './chat-request.ts';
import { ChooseRecipients } from './choose-recipients.tsx';
import type { DraftState } from './draft.ts';
import { Part } from './part.tsx';
import { chosenOf, MANY, type Recipients, recipientsProblem } from './recipients.ts';
import { CampaignName, SendForm, usePlacedRefusal, useSending } from './send-form.tsx';
import { useSent } from './sent.ts';
import { TemplateSelect } from './template-select.tsx';
import { useComposerTexts } from './use-composer-texts.ts';
import { Schedule, When, WhenAndHours } from './when.tsx';

const MAX_TEMPLATES = 500;

/** Inputs that show the service's error of a field. */
const refusalPlaces = {
  to: 'recipients',
  phones: 'recipients',
  lists: 'recipients',
  at: 'at',
  sending_hours: 'hours',
} as const;

/** A template to one recipient, or to many. */
export function ChatTemplate({
  source,
  choice,
  draft,
  change,
  saved,
}: {
  /** The business number. */
  readonly source: string;
  /** Chooses it, and what kind of message it is. */
  readonly choice: React.ReactNode;
  readonly draft: ChatDraft;
  readonly change: (changes: Partial<ChatDraft>) => void;
  readonly saved: DraftState;
}) {
  const { send: t } = useTexts();
  const templates = useAnswer('/v1/chat/templates', {
    query: { phone: source, limit: MAX_TEMPLATES },
  });
  const usable = templates.data?.templates.filter((template) => template.usable) ?? [];
  const template = usable.find(({ template_id }) => template_id === draft.templateId);
  return (
    <>
      {templates.isError && <ErrorNote error={templates.error} onRetry={() => void templates.refetch()} />}
      <Compose
        source={source}
        template={template as Template | undefined}
        choice={
          <>
            {choice}
            <TemplateSelect
              label={t.template}
              hint={t.templateHint}
              none={t.noTemplates}
              templates={templates.data && usable}
              value={draft.templateId}
              onChange={(value) => {
                const header = usable.find(({ template_id }) => template_id === value)?.header;
                const sample = header && header.kind !== 'text' ? header.sample : '';
                const values = { ...noValues, header: sample };
                change({ templateId: value ?? '', values, mapped: noMapping });
              }}
            />
          </>
        }
        draft={draft}
        change={change}
        saved={saved}
      />
    </>
  );
}

function Compose({
  source,
  template,
  choice,
  draft: { recipients, values, mapped, name, at, hours },
  change: changeDraft,
  saved,
}: {
  readonly source: string;
  readonly template: Template | undefined;
  readonly choice: React.ReactNode;
  readonly draft: ChatDraft;
  readonly change: (changes: Partial<ChatDraft>) => void;
  readonly saved: DraftState;
}) {
  const texts = useTexts();
  const { send: t } = texts;
  const { content } = useComposerTexts();
  const sent = useSent();
  const contactLists = useChoices('/v1/contact-lists', (answer) => answer.contact_lists);
  const chosen = chosenOf(recipients);
  const dueAt = at === '' ? null : new Date(at);
  const needs = template && needsOf(template);
  // An immediate send to one number is a message with typed values; any other send is a campaign.
  const toOne = recipients.kind === 'phones' && chosen.phones.length <= 1 && dueAt === null;
  const lists = (contactLists.data ?? []).filter(({ id }) => chosen.lists.includes(id));
  const fields = fieldsOf(lists, t);
  // For many recipients, fields of the lists replace the values typed for one.
  const effective = toOne ? values : { ...values, variables: mapped.variables, websites: mapped.websites };
  const problems = problemsOf({ needs, effective, recipients, toOne, dueAt }, texts);
  const request =
    template && requestOf(template, source, effective, chosen, toOne, name.trim(), dueAt, hours);
  const isMany = chosen.lists.length > 0 || chosen.phones.length > MANY;
  const sending = useSending(problems, isMany, async () => {
    const shipment = await sendChat(request!);
    void saved.remove();
    await sent(...shipment, dueAt !== null);
  });
  const estimate = useEstimate(
    'chat-estimate',
    sending.problem === undefined ? request : undefined,
    estimateOf,
  );
  const refusal = usePlacedRefusal(estimate.error ?? sending.error, refusalPlaces, chosen.phones);
  const shown = !toOne && estimate.data && 'preview' in estimate.data ? estimate.data.preview : undefined;
  const contentFor = (of: Template) =>
    filledContent(of, toOne ? values : namedFields(effective, fields), texts);
  function change(next: Values) {
    if (toOne) return changeDraft({ values: next });
    const { variables, websites } = next;
    const own = { variables: values.variables, websites: values.websites };
    changeDraft({ mapped: { variables, websites }, values: { ...next, ...own } });
  }
  return (
    <SendForm
      sending={{ ...sending, error: sending.error && refusal.rest }}
      later={at !== ''}
      draft={saved}
      estimate={{ ...estimate, error: refusal.rest, atMost: !toOne }}
      hint={sending.problem ?? t.estimating}
      note={estimate.data && toOne ? (estimate.data.opens ? t.opens : t.runs) : undefined}
      side={
        template && (
          <PhonePreview
            sender={source}
            channel="chat"
            content={shown ? chatContentOf(shown) : contentFor(template)}
          />
        )
      }
    >
      <Part title={texts.shell.sections.audience}>
        <ChooseRecipients
          value={recipients}
          onChange={(value) => changeDraft({ recipients: value })}
          error={sending.shown(problems.recipients) ?? refusal.at.recipients}
        />
      </Part>
      <Part title={content}>
        {choice}
        {template && needs && (
          <TemplateFields
            template={template}
            needs={needs}
            values={effective}
            onChange={change}
            fields={toOne ? undefined : fields}
          />
        )}
        {!toOne && <CampaignName value={name} onChange={(value) => changeDraft({ name: value })} />}
      </Part>
      <Times
        draft={{ at, hours }}
        change={changeDraft}
        isCampaign={!toOne}
        refused={{ at: problems.at ?? refusal.at.at, hours: refusal.at.hours }}
      />
    </SendForm>
  );
}

/** Problems of a draft by field. */
function problemsOf(
  {
    needs,
    effective,
    recipients,
    toOne,
    dueAt,
  }: {
    readonly needs: Needs | undefined;
    readonly effective: Values;
    readonly recipients: Recipients;
    readonly toOne: boolean;
    readonly dueAt: Date | null;
  },
  texts: Dictionary,
) {
  const { send: t } = texts;
  const toLists = chosenOf(recipients).lists.length > 0;
  const lacks = needs && lacksValues({ ...needs, otp: needs.otp && toOne }, effective);
  return {
    template: needs ? undefined : t.chooseTemplate,
    values: lacks ? t.valuesMissing : undefined,
    recipients:
      recipientsProblem(recipients, texts) ?? (toOne || !needs ? undefined : manyProblem(needs, toLists, t)),
    at: dueAt !== null && dueAt.getTime() < Date.now() ? t.past : undefined,
  };
}

/** Problem that prevents a template from being sent to many recipients. */
function manyProblem(
  needs: Needs,
  toLists: boolean,
  t: { readonly codeToOne: string; readonly variablesWantLists: string },
): string | undefined {
  if (needs.otp) return t.codeToOne;
  return isPersonal(needs) && !toLists ? t.variablesWantLists : undefined;
}

/** The time of a send. A campaign also has sending hours. */
function Times({
  draft: { at, hours },
  change,
  isCampaign,
  refused,
}: {
  readonly draft: Pick<ChatDraft, 'at' | 'hours'>;
  readonly change: (changes: Partial<ChatDraft>) => void;
  readonly isCampaign: boolean;
  readonly refused: Readonly<Record<'at' | 'hours', string | undefined>>;
}) {
  if (isCampaign) return <WhenAndHours {...{ at, hours, change, refused }} />;
  return (
    <Schedule>
      <When value={at} onChange={(value) => change({ at: value })} error={refused.at} />
    </Schedule>
  );
}

/** The fields that all of the lists have, as they are chosen from: by number, under the names of the first list. */
function fieldsOf(
  lists: readonly { readonly columns: readonly string[] }[],
  t: { readonly field: (number: number) => string },
) {
  const [first] = lists;
  return [1, 2, 3, 4, 5, 6].map((number) => ({
    value: String(number),
    label: first?.columns[number - 1] || t.field(number),
  }));
}
