import { MultiSelect, Radio, Select, Stack, TagsInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useLocation } from 'wouter';
import { byId, client } from '../../api/client.ts';
import type { Answer, RequestBody } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { choicesOf } from '../../components/choices.ts';
import { writtenText } from '../../components/direction.ts';
import { Form, fieldsOf, hintBelow, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { channelsWith, useChannelName } from '../../features/messages/channels.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { LABELS, RULES, SAVED_REPLIES } from './paths.ts';
import { useSettingsTexts } from './texts.ts';

type Rule = Answer<'/v1/conversation-rules/{id}'>;
type RuleBody = Required<RequestBody<typeof RULES>>;

/** Value of the assignee that assigns people in turns, in place of a person's id. */
const TURNS = 'turns';
const ONE = '/v1/conversation-rules/{id}';

/** Form values: the options of one select are one value here, while the service has several fields. */
interface Values extends Record<string, unknown> {
  name: string;
  enabled: boolean;
  keywords: string[];
  match: Rule['match'];
  channels: string[];
  senders: string[];
  when: Rule['when'];
  first_only: boolean;
  reply: 'none' | 'text' | 'saved';
  reply_text: string;
  saved_reply_id: string | null;
  label_ids: string[];
  /** Id of a person, or TURNS; null for nobody. */
  assignee_id: string | null;
  webhook: boolean;
  stop: boolean;
}

const empty: Values = {
  name: '',
  enabled: true,
  keywords: [],
  match: 'contains',
  channels: [],
  senders: [],
  when: 'always',
  first_only: false,
  reply: 'text',
  reply_text: '',
  saved_reply_id: null,
  label_ids: [],
  assignee_id: null,
  webhook: false,
  stop: true,
};

const valuesOf = (rule: Rule): Values => ({
  ...empty,
  ...rule,
  reply: rule.saved_reply_id !== null ? 'saved' : rule.reply_text !== null ? 'text' : 'none',
  reply_text: rule.reply_text ?? '',
  assignee_id: rule.assign_by_turns ? TURNS : rule.assignee_id,
});

function bodyOf({ reply, reply_text, saved_reply_id, assignee_id, channels, ...same }: Values): RuleBody {
  const { name, enabled, keywords, match, senders, when, first_only, label_ids, webhook, stop } = same;
  return {
    ...{ name, enabled, keywords, match, senders, when, first_only, label_ids, webhook, stop },
    channels: channels as RuleBody['channels'],
    reply_text: reply === 'text' ? reply_text : null,
    saved_reply_id: reply === 'saved' ? saved_reply_id : null,
    assignee_id: assignee_id === TURNS ? null : assignee_id,
    assign_by_turns: assignee_id === TURNS,
  };
}

/** Field that shows the error of a missing reply or action, because the text input is not always visible. */
const replyErrors: Readonly<Record<Values['reply'], Readonly<Record<string, string>>>> = {
  none: { reply_text: 'reply' },
  text: {},
  saved: { reply_text: 'saved_reply_id' },
};

type RuleFormType = UseFormReturnType<Values>;

/** Creates a rule, or changes one. */
export function RuleForm({ rule }: { readonly rule?: Rule }) {
  const { rules: t } = useSettingsTexts();
  const { common } = useTexts();
  const done = useDone();
  const [, navigate] = useLocation();
  const form = useForm<Values>({ initialValues: rule ? valuesOf(rule) : empty });
  const submission = useSubmission(
    form,
    async (values) => {
      const body = bodyOf(values);
      if (rule) await client.PATCH(ONE, { ...byId(rule.id), body });
      else await client.POST(RULES, { body });
      await done(rule ? t.saved(values.name) : t.created(values.name), RULES, ONE);
      navigate('/conversation-rules');
    },
    { assign_by_turns: 'assignee_id', ...replyErrors[form.values.reply] },
  );
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={rule ? common.save : t.create} narrow>
      <Stack gap="md" maw={520}>
        {field.text('name', t.name, { written: true, required: true, maxLength: 60 })}
        {field.toggle('enabled', t.enabled)}
      </Stack>
      <Conditions form={form} />
      <Actions form={form} />
    </Form>
  );
}

function Conditions({ form }: { readonly form: RuleFormType }) {
  const { rules: t } = useSettingsTexts();
  const channelName = useChannelName();
  const { values } = form;
  return (
    <Card title={t.ifTitle} lead={t.ifHint}>
      <TagsInput
        label={t.keywords}
        description={t.keywordsHint}
        maxTags={50}
        maxLength={100}
        {...hintBelow}
        {...writtenText}
        {...form.getInputProps('keywords')}
      />
      {values.keywords.length > 0 && (
        <Select
          label={t.match}
          data={choicesOf(t.matches)}
          allowDeselect={false}
          maw={420}
          {...form.getInputProps('match')}
        />
      )}
      <Select
        label={t.when}
        data={choicesOf(t.times)}
        allowDeselect={false}
        maw={420}
        {...form.getInputProps('when')}
      />
      {fieldsOf(form).checkbox('first_only', t.firstOnly, t.firstOnlyHint)}
      <MultiSelect
        label={t.channels}
        placeholder={values.channels.length === 0 ? t.anyChannel : undefined}
        data={channelsWith(values.channels)
          .filter((channel) => channel !== 'voice')
          .map((value) => ({ value, label: channelName(value) }))}
        clearable
        maw={420}
        {...form.getInputProps('channels')}
      />
      <TagsInput
        label={t.senders}
        description={t.sendersHint}
        maxTags={50}
        maxLength={100}
        dir="ltr"
        maw={420}
        {...hintBelow}
        {...form.getInputProps('senders')}
      />
    </Card>
  );
}

function Actions({ form }: { readonly form: RuleFormType }) {
  const { rules: t } = useSettingsTexts();
  const labels = useAnswer(LABELS).data?.labels ?? [];
  const agents = useAnswer('/v1/conversation-agents').data?.agents ?? [];
  const field = fieldsOf(form);
  return (
    <Card title={t.thenTitle} lead={t.thenHint}>
      <ReplyFields form={form} />
      <MultiSelect
        label={t.labels}
        placeholder={form.values.label_ids.length === 0 ? t.anyLabels : undefined}
        data={labels.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
        clearable
        maw={420}
        {...form.getInputProps('label_ids')}
      />
      <Select
        label={t.assign}
        description={t.assignHint}
        placeholder={t.nobody}
        data={[
          { value: TURNS, label: t.byTurns },
          ...agents.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        searchable
        clearable
        maw={420}
        {...hintBelow}
        {...form.getInputProps('assignee_id')}
      />
      {field.checkbox('webhook', t.webhook, t.webhookHint)}
      {field.checkbox('stop', t.stop, t.stopHint)}
    </Card>
  );
}

/** No reply, a text, or a saved reply. */
function ReplyFields({ form }: { readonly form: RuleFormType }) {
  const { rules: t, savedReplies: saved } = useSettingsTexts();
  const { reply } = form.values;
  const replies = useAnswer(SAVED_REPLIES, {}, { enabled: reply === 'saved' }).data?.saved_replies;
  return (
    <>
      <Radio.Group label={t.reply} description={t.replyHint} {...hintBelow} {...form.getInputProps('reply')}>
        <Stack gap="xs" my="xs">
          {choicesOf(t.replies).map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      {reply === 'text' &&
        fieldsOf(form).text('reply_text', t.replyText, {
          written: true,
          required: true,
          maxLength: 1_000,
          lines: 3,
          hint: saved.textHint,
        })}
      {reply === 'saved' && (
        <Select
          label={t.savedReply}
          placeholder={t.chooseSaved}
          data={(replies ?? []).map(({ id, title, shortcut }) => ({
            value: id,
            label: `${title} (/${shortcut})`,
          }))}
          searchable
          required
          maw={420}
          {...form.getInputProps('saved_reply_id')}
        />
      )}
    </>
  );
}
