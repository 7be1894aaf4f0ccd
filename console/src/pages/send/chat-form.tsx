import { Button, Group, Input, Paper, Select, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { MessageCircle, Send as SendIcon } from 'lucide-react';
import { useState } from 'react';
import { api, client } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { writtenText } from '../../components/direction.ts';
import { Empty, ErrorNote, Loading } from '../../components/states.tsx';
import { instantOf } from '../../components/time-zone.ts';
import { PhonePreview } from '../../handset/phone-preview.tsx';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import type { Template } from '../templates/template-data.ts';
import { useChatNumbers } from '../templates/use-chat-numbers.ts';
import { type ChatRequest, estimateOf, requestOf } from './chat-request.ts';
import { ChooseRecipients } from './choose-recipients.tsx';
import { EstimateCard } from './estimate.tsx';
import { chosenOf, nobody, type Recipients, recipientsProblem } from './recipients.ts';
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
import { type ContactList, useContactLists } from './use-contact-lists.ts';
import { When } from './when.tsx';

const PAUSE_MS = 350;
const MANY = 20;
const TEMPLATES_MOST = 500;

/** A chat template to one client, or to many. */
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
    { params: { query: { phone: chosen ?? '', limit: TEMPLATES_MOST } } },
    { enabled: chosen !== undefined },
  );
  if (numbers.loading) return <Loading />;
  if (chosen === undefined) {
    return (
      <Paper withBorder>
        <Empty icon={MessageCircle} title={t.noNumbers}>
          {t.noNumbersHint}
        </Empty>
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
  const language = useLanguage();
  const zone = useSession().account?.time_zone ?? undefined;
  const sent = useSent();
  const contactLists = useContactLists();
  const [values, setValues] = useState<Values>(() => ({
    ...noValues,
    header: template && template.header.kind !== 'text' ? template.header.sample : '',
  }));
  const [mapped, setMapped] = useState<Pick<Values, 'variables' | 'websites'>>(noValues);
  const [name, setName] = useState('');
  const [at, setAt] = useState('');
  const [tried, setTried] = useState(false);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  const chosen = chosenOf(recipients);
  const dueAt = at === '' ? null : instantOf(at, zone);
  const needs = template && needsOf(template);
  // To one number at once it is a message with values of its own; all else is a campaign.
  const toOne = recipients.kind === 'phones' && chosen.phones.length <= 1 && dueAt === null;
  const fields = fieldsOf(
    (contactLists.data ?? []).filter(({ id }) => chosen.lists.includes(id)),
    t,
  );
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
  const firstProblem = Object.values(problems).find((problem) => problem !== undefined);
  const isReady = firstProblem === undefined;
  const request = template
    ? requestOf(template, source, effective, chosen, toOne, name.trim(), dueAt, zone)
    : undefined;
  const wanted = isReady && request ? JSON.stringify(request) : '';
  const [asked] = useDebouncedValue(wanted, PAUSE_MS);
  const estimate = useQuery({
    queryKey: ['chat-estimate', asked],
    queryFn: () => estimateOf(JSON.parse(asked) as ChatRequest),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  });
  const shownEstimate = wanted !== '' && asked !== '' ? estimate.data : undefined;

  async function send() {
    setBusy(true);
    setError(null);
    try {
      if (request!.to === 'one') {
        const { data } = await client.POST('/v1/chat/messages', { body: request!.body });
        const { data: message } = await client.GET('/v1/messages/{id}', {
          params: { path: { id: data!.id } },
        });
        await sent(message!.shipment_id, true, false);
      } else {
        const { data } = await client.POST('/v1/chat/campaigns', { body: request!.body });
        await sent(data!.id, false, dueAt !== null);
      }
    } finally {
      setBusy(false);
    }
  }

  function submit(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    setTried(true);
    if (!isReady) return;
    if (chosen.lists.length > 0 || chosen.phones.length > MANY) setAsking(true);
    else send().catch(setError);
  }

  return (
    <form className="send" onSubmit={submit} noValidate>
      <Stack gap="lg">
        <Card title={t.message}>
          {choice}
          {template && needs && (
            <TemplateFields
              template={template}
              needs={needs}
              values={effective}
              onChange={(next) => {
                if (toOne) setValues(next);
                else {
                  setMapped(next);
                  setValues({ ...next, variables: values.variables, websites: values.websites });
                }
              }}
              fields={toOne ? undefined : fields}
            />
          )}
        </Card>
        <Card title={t.to}>
          <ChooseRecipients
            value={recipients}
            onChange={setRecipients}
            error={tried ? problems.recipients : undefined}
          />
          <When value={at} onChange={setAt} error={problems.at} />
          {!toOne && (
            <TextInput
              label={t.campaignName}
              description={t.campaignNameHint}
              inputWrapperOrder={['label', 'input', 'description']}
              {...writtenText}
              maxLength={50}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              w={{ base: '100%', xs: 240 }}
            />
          )}
        </Card>
      </Stack>
      <div className="send-side">
        {template && (
          <PhonePreview
            sender={source}
            content={filledContent(template, toOne ? values : namedFields(effective, fields), texts)}
          />
        )}
        <EstimateCard
          estimate={shownEstimate}
          busy={estimate.isFetching || asked !== wanted}
          error={wanted === '' ? null : estimate.error}
          atMost={!toOne}
          note={shownEstimate && toOne ? (shownEstimate.opens ? t.opens : t.runs) : undefined}
          hint={tried && !isReady ? undefined : (firstProblem ?? t.estimating)}
        >
          {error !== null && <ErrorNote error={error} />}
          {tried && firstProblem !== undefined && <Input.Error role="alert">{firstProblem}</Input.Error>}
          <Button
            type="submit"
            size="md"
            loading={busy}
            leftSection={<SendIcon size={17} className="mirrored" aria-hidden />}
          >
            {at === '' ? t.send : t.schedule}
          </Button>
        </EstimateCard>
      </div>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t.confirmTitle}
        action={at === '' ? t.send : t.schedule}
        onConfirm={send}
      >
        {(at === '' ? t.confirm : t.confirmLater)(
          (shownEstimate?.recipients ?? 0).toLocaleString(language),
          Number(shownEstimate?.cost ?? 0).toLocaleString(language),
        )}
      </Confirm>
    </form>
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
function fieldsOf(lists: readonly ContactList[], t: { readonly field: (number: number) => string }) {
  const [first] = lists;
  return [1, 2, 3, 4, 5, 6].map((number) => ({
    value: String(number),
    label: first?.columns[number - 1] || t.field(number),
  }));
}
