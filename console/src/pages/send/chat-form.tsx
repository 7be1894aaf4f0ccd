import { Group, Paper, Select } from '@mantine/core';
import { MessageCircle } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChoices } from '../../api/pages.ts';
import { useTimeZone } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { Empty, ErrorNote, Loading } from '../../components/states.tsx';
import { instantOf } from '../../components/time-zone.ts';
import { PhonePreview } from '../../features/handset/phone-preview.tsx';
import { chatContentOf } from '../../features/messages/content.tsx';
import type { Template } from '../../features/templates/template-data.ts';
import { useChatNumbers } from '../../features/templates/use-chat-numbers.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { estimateOf, requestOf, sendChat } from './chat-request.ts';
import { ChooseRecipients } from './choose-recipients.tsx';
import { chosenOf, MANY, nobody, type Recipients, recipientsProblem } from './recipients.ts';
import { CampaignName, SendForm, useEstimate, usePlacedRefusal, useSending } from './send-form.tsx';
import { useSent } from './sent.ts';
import { TemplateFields } from './template-fields.tsx';
import {
  filledContent,
  isPersonal,
  lacksValues,
  type Needs,
  namedFields,
  needsOf,
  noValues,
  type Values,
} from './template-values.ts';
import { When } from './when.tsx';

const MAX_TEMPLATES = 500;

/** A chat template to one recipient, or to many. */
export function ChatForm() {
  const { send: t } = useTexts();
  const numbers = useChatNumbers();
  const [number, setNumber] = useState<string>();
  const chosen = number ?? numbers.list[0]?.phone;
  const [templateId, setTemplateId] = useState<string>();
  const [recipients, setRecipients] = useState(nobody);
  const templates = api.useQuery(
    'get',
    '/v1/chat/templates',
    { params: { query: { phone: chosen ?? '', limit: MAX_TEMPLATES } } },
    { enabled: chosen !== undefined },
  );
  if (numbers.loading) return <Loading />;
  if (chosen === undefined) {
    return (
      <Paper withBorder>
        <Empty icon={MessageCircle} title={t.noNumbers} hint={t.noNumbersHint} />
      </Paper>
    );
  }
  const usable = templates.data?.templates.filter((template) => template.usable) ?? [];
  const template = usable.find(({ template_id }) => template_id === templateId);
  const choice = (
    <Group gap="md" align="flex-start">
      <Select
        label={t.number}
        dir="ltr"
        data={numbers.list.map(({ phone, name }) => ({ value: phone, label: `+${phone} · ${name}` }))}
        value={chosen}
        onChange={(value) => setNumber(value ?? undefined)}
        allowDeselect={false}
        w={{ base: '100%', xs: 260 }}
      />
      <Select
        label={t.template}
        dir="ltr"
        placeholder={templates.data && usable.length === 0 ? t.noTemplates : t.templateHint}
        data={usable.map(({ template_id, name, language }) => ({
          value: template_id,
          label: `${name} · ${language}`,
        }))}
        value={templateId ?? null}
        onChange={(value) => setTemplateId(value ?? undefined)}
        searchable
        w={{ base: '100%', xs: 260 }}
      />
    </Group>
  );
  return (
    <>
      {templates.isError && <ErrorNote error={templates.error} onRetry={() => void templates.refetch()} />}
      <Compose
        key={template?.template_id ?? 'none'}
        source={chosen}
        template={template as Template | undefined}
        choice={choice}
        recipients={recipients}
        setRecipients={setRecipients}
      />
    </>
  );
}

/** Where what the service says of a field is shown. */
const refusalPlaces = { to: 'recipients', phones: 'recipients', lists: 'recipients', at: 'at' } as const;

function Compose({
  source,
  template,
  choice,
  recipients,
  setRecipients,
}: {
  readonly source: string;
  readonly template: Template | undefined;
  readonly choice: React.ReactNode;
  readonly recipients: Recipients;
  readonly setRecipients: (recipients: Recipients) => void;
}) {
  const texts = useTexts();
  const { send: t } = texts;
  const zone = useTimeZone();
  const sent = useSent();
  const contactLists = useChoices('/v1/contact-lists', (answer) => answer.contact_lists);
  const [values, setValues] = useState<Values>(() => ({
    ...noValues,
    header: template && template.header.kind !== 'text' ? template.header.sample : '',
  }));
  const [mapped, setMapped] = useState<Pick<Values, 'variables' | 'websites'>>(noValues);
  const [name, setName] = useState('');
  const [at, setAt] = useState('');

  const chosen = chosenOf(recipients);
  const dueAt = at === '' ? null : instantOf(at, zone);
  const needs = template && needsOf(template);
  // To one number at once it is a message with values of its own; all else is a campaign.
  const toOne = recipients.kind === 'phones' && chosen.phones.length <= 1 && dueAt === null;
  const lists = (contactLists.data ?? []).filter(({ id }) => chosen.lists.includes(id));
  const fields = fieldsOf(lists, t);
  // To many, the fields that fill what differs are kept apart from what was typed for one.
  const effective = toOne ? values : { ...values, variables: mapped.variables, websites: mapped.websites };
  const problems = {
    template: template ? undefined : t.chooseTemplate,
    values:
      needs && lacksValues({ ...needs, otp: needs.otp && toOne }, effective) ? t.valuesMissing : undefined,
    recipients:
      recipientsProblem(recipients, texts) ??
      (toOne || !needs ? undefined : manyProblem(needs, chosen.lists.length > 0, t)),
    at: dueAt !== null && dueAt.getTime() < Date.now() ? t.past : undefined,
  };
  const request = template && requestOf(template, source, effective, chosen, toOne, name.trim(), dueAt, zone);
  const isMany = chosen.lists.length > 0 || chosen.phones.length > MANY;
  const sending = useSending(problems, isMany, async () =>
    sent(...(await sendChat(request!)), dueAt !== null),
  );
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
    if (toOne) return setValues(next);
    setMapped(next);
    setValues({ ...next, variables: values.variables, websites: values.websites });
  }
  return (
    <SendForm
      sending={{ ...sending, error: sending.error && refusal.rest }}
      later={at !== ''}
      estimate={{ ...estimate, error: refusal.rest, atMost: !toOne }}
      hint={sending.problem ?? t.estimating}
      note={estimate.data && toOne ? (estimate.data.opens ? t.opens : t.runs) : undefined}
      side={
        template && (
          <PhonePreview sender={source} content={shown ? chatContentOf(shown) : contentFor(template)} />
        )
      }
    >
      <Card title={t.message}>
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
      </Card>
      <Card title={t.to}>
        <ChooseRecipients
          value={recipients}
          onChange={setRecipients}
          error={sending.shown(problems.recipients) ?? refusal.at.recipients}
        />
        <When value={at} onChange={setAt} error={problems.at ?? refusal.at.at} />
        {!toOne && <CampaignName value={name} onChange={setName} />}
      </Card>
    </SendForm>
  );
}

/** What keeps a template from going to many. */
function manyProblem(
  needs: Needs,
  toLists: boolean,
  t: { readonly codeToOne: string; readonly variablesWantLists: string },
): string | undefined {
  if (needs.otp) return t.codeToOne;
  return isPersonal(needs) && !toLists ? t.variablesWantLists : undefined;
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
