import { NumberInput, Select, Stack, TagsInput, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useLocation } from 'wouter';
import { useChoices } from '../../api/paging.ts';
import { Card } from '../../components/card.tsx';
import { choicesOf } from '../../components/choices.ts';
import { Form, fieldsOf, hintBelow, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import type { AlertKind, AlertKinds, AlertScope, NewRule, Rule } from './alert-scope.ts';
import { useAlertTexts } from './texts.ts';

type Thresholds = Required<Rule['thresholds']>;
type Recipients = Rule['recipients'];

/** Form values; thresholds and recipients are separate fields. */
interface Values extends Record<string, unknown>, Thresholds, Recipients {
  name: string;
  kind: AlertKind;
  for_minutes: number;
  clear_minutes: number;
  pause_minutes: number;
}

type Kind = AlertKinds['kinds'][number];

/** Names of the thresholds of a kind. */
const thresholdsOf = ({ thresholds }: Kind) => Object.keys(thresholds) as (keyof Thresholds)[];

/** Values that a threshold has while the rule is of a kind without it. */
const unused: Thresholds = {
  below: '',
  subscribers: false,
  active_only: false,
  drop_percent: 0,
  min_messages: 0,
  prefix: '',
  minutes: 0,
  count: 0,
  free_percent: 0,
  hours: 0,
};

const empty = ({ kind, thresholds, for_minutes }: Kind, defaults: AlertKinds): Values => ({
  name: '',
  kind,
  ...unused,
  ...thresholds,
  for_minutes,
  clear_minutes: defaults.clear_minutes,
  pause_minutes: defaults.pause_minutes,
  owners: true,
  mails: [],
  phones: [],
  webhook: false,
  language: 'en',
  account_id: null,
  unconfirmed: [],
});

const valuesOf = ({ thresholds, recipients, ...rule }: Rule, kind: Kind, defaults: AlertKinds): Values => ({
  ...empty(kind, defaults),
  ...rule,
  ...thresholds,
  ...recipients,
});

function bodyOf(values: Values, kind: Kind): NewRule {
  const { name, for_minutes, clear_minutes, pause_minutes } = values;
  const { owners, mails, phones, webhook, language, account_id } = values;
  return {
    name,
    kind: kind.kind,
    for_minutes,
    clear_minutes,
    pause_minutes,
    thresholds: Object.fromEntries(thresholdsOf(kind).map((field) => [field, values[field]])),
    recipients: { owners, mails, phones, webhook, language, account_id },
  };
}

const recipientFields = ['owners', 'phones', 'mails', 'webhook', 'language', 'account_id'];
/** The names of the service, and those of the form. */
const names = Object.fromEntries([
  ...Object.keys(unused).map((field) => [`thresholds.${field}`, field]),
  ...recipientFields.map((field) => [`recipients.${field}`, field]),
  ...Array.from({ length: 20 }, (_, index) => [
    [`recipients.mails[${index}]`, 'mails'],
    [`recipients.phones[${index}]`, 'phones'],
  ]).flat(),
]) as Readonly<Record<string, string>>;

type RuleFormType = UseFormReturnType<Values>;

/** Creates a rule, or changes one. */
export function RuleForm({
  scope,
  kinds: defaults,
  rule,
}: {
  readonly scope: AlertScope;
  readonly kinds: AlertKinds;
  readonly rule?: Rule;
}) {
  const t = useAlertTexts();
  const { common } = useTexts();
  const done = useDone();
  const [, navigate] = useLocation();
  const kindOf = (kind: AlertKind) => defaults.kinds.find((one) => one.kind === kind) ?? defaults.kinds[0]!;
  const form = useForm<Values>({
    initialValues: rule ? valuesOf(rule, kindOf(rule.kind), defaults) : empty(defaults.kinds[0]!, defaults),
  });
  const submission = useSubmission(
    form,
    async (values) => {
      const { kind, ...change } = bodyOf(values, kindOf(values.kind));
      if (rule) await scope.change(rule.id, change);
      else await scope.create({ kind, ...change });
      const { rules, rule: one, alerts } = scope;
      await done(rule ? t.saved(values.name) : t.created(values.name), rules, one, alerts);
      navigate(scope.home);
    },
    names,
  );
  const kinds = defaults.kinds.map(({ kind }) => ({ value: kind, label: t.kinds[kind] }));
  const choose = (chosen: string | null) => {
    if (chosen === null) return;
    const { kind, thresholds, for_minutes } = kindOf(chosen as AlertKind);
    form.setValues({ ...form.values, ...thresholds, kind, for_minutes });
  };
  return (
    <Form submission={submission} action={rule ? common.save : t.create} narrow>
      <Stack gap="md" maw={520}>
        <Select
          label={t.kind}
          data={kinds}
          allowDeselect={false}
          disabled={rule !== undefined}
          value={form.values.kind}
          onChange={choose}
        />
        {fieldsOf(form).text('name', t.name, { written: true, required: true, maxLength: 60 })}
      </Stack>
      <Condition form={form} kind={kindOf(form.values.kind)} />
      <Who form={form} scope={scope} />
    </Form>
  );
}

function Condition({ form, kind }: { readonly form: RuleFormType; readonly kind: Kind }) {
  const t = useAlertTexts();
  const field = fieldsOf(form);
  const number = (name: keyof Values & string, label: string, hint?: string) => (
    <NumberInput
      key={name}
      label={label}
      description={hint}
      min={0}
      allowDecimal={false}
      required
      maw={320}
      {...hintBelow}
      {...form.getInputProps(name)}
    />
  );
  const inputs: Readonly<Record<keyof Thresholds, () => React.ReactNode>> = {
    below: () => (
      <div key="below">
        {field.text('below', t.below, { required: true, inputMode: 'decimal', maw: 320 })}
      </div>
    ),
    subscribers: () => <div key="subscribers">{field.checkbox('subscribers', t.subscribers)}</div>,
    active_only: () => <div key="active_only">{field.checkbox('active_only', t.activeOnly)}</div>,
    drop_percent: () => number('drop_percent', t.drop),
    min_messages: () => number('min_messages', t.least, t.leastHint),
    prefix: () => (
      <div key="prefix">{field.text('prefix', t.prefix, { hint: t.prefixHint, maxLength: 5, maw: 320 })}</div>
    ),
    minutes: () => number('minutes', t.minutes),
    count: () => number('count', t.count),
    free_percent: () => number('free_percent', t.free),
    hours: () => number('hours', t.hours, t.hoursHint),
  };
  return (
    <Card title={t.condition}>
      {thresholdsOf(kind).map((name) => inputs[name]())}
      {number('for_minutes', t.forMinutes, t.forHint)}
      {number('clear_minutes', t.clearMinutes, t.clearHint)}
      {number('pause_minutes', t.pauseMinutes, t.pauseHint)}
    </Card>
  );
}

function Who({ form, scope }: { readonly form: RuleFormType; readonly scope: AlertScope }) {
  const t = useAlertTexts();
  const field = fieldsOf(form);
  const list = (name: 'mails' | 'phones', label: string, hint?: string) => (
    <TagsInput
      label={label}
      description={hint}
      maxTags={20}
      dir="ltr"
      maw={420}
      {...hintBelow}
      {...form.getInputProps(name)}
    />
  );
  return (
    <Card title={t.who} lead={t.whoHint}>
      {field.checkbox('owners', scope.isOperator ? t.operators : t.owners, t.ownersHint)}
      {list('mails', t.mails)}
      {form.values.unconfirmed.length > 0 && (
        <Text size="sm">
          {t.unconfirmed} <bdi>{form.values.unconfirmed.join(', ')}</bdi>
        </Text>
      )}
      {list('phones', t.phones, scope.isOperator ? t.phonesOperatorHint : t.phonesHint)}
      {field.checkbox('webhook', t.webhook, t.webhookHint)}
      {scope.isOperator && <Payer form={form} />}
      <Select
        label={t.language}
        description={t.languageHint}
        data={choicesOf(t.languages)}
        allowDeselect={false}
        maw={320}
        {...hintBelow}
        {...form.getInputProps('language')}
      />
    </Card>
  );
}

/** The account whose SMS and webhooks are used. */
function Payer({ form }: { readonly form: RuleFormType }) {
  const t = useAlertTexts();
  const accounts = useChoices('/v1/operator/accounts', ({ accounts }) => accounts).data ?? [];
  return (
    <Select
      label={t.account}
      description={t.accountHint}
      data={accounts.map(({ id, username }) => ({ value: id, label: username }))}
      searchable
      clearable
      maw={420}
      {...hintBelow}
      {...form.getInputProps('account_id')}
    />
  );
}
