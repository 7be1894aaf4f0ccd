import { NumberInput, Paper, Stack, TagsInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Pencil, Plus, Search, Trash2 } from 'lucide-react';
import { Fragment, useState } from 'react';
import { client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form, fieldsOf, hintBelow, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Empty, Fetched } from '../../components/states.tsx';
import { Muted, Section } from '../../components/text.tsx';
import { StatusBadge } from '../../components/values.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import {
  DescriptionFields,
  type DescriptionValues,
  descriptionOf,
  descriptionValues,
  enteredSecrets,
  secretNamesOf,
} from './description-fields.tsx';
import { useLookupTexts } from './lookup-texts.ts';
import { PrefixList } from './route-words.tsx';
import { useOperatorTexts } from './texts.ts';

const LOOKUP = '/v1/operator/number-lookup';
type State = Answer<typeof LOOKUP>;
type LookUp = NonNullable<State['look_up']>;
type Tried = Answer<'/v1/operator/number-lookup/try', 'POST'>;

/* Limits of the service. */
const MAX_PREFIXES = 1_000;
const MAX_PER_DAY = 100_000_000;
const MAX_DAYS = 90;
const MIN_TIMEOUT = 100;
const MAX_TIMEOUT = 10_000;

/** Form values of a new look-up. */
const defaults = { is_enabled: true, prefixes: [''], per_day: 10_000, valid_days: 7, timeout_ms: 2_000 };

/** How networks of numbers are looked up. */
export function NumberLookup() {
  const t = useLookupTexts();
  const { open } = useDialogs();
  const state = useAnswer(LOOKUP);
  const lookUp = state.data?.look_up;
  const edit = (of: State) => open(of.look_up ? t.edit : t.set, <LookUpForm state={of} />, { size: 'lg' });
  return (
    <Section
      title={t.title}
      hint={t.hint}
      actions={lookUp ? <LookUpMenu edit={() => edit(state.data!)} /> : null}
    >
      <Fetched query={state}>
        {(known) => (
          <Paper withBorder p="md">
            {known.look_up ? (
              <LookUpFacts lookUp={known.look_up} ready={known.ready} />
            ) : (
              <Empty
                icon={Search}
                title={t.none}
                hint={t.noneHint}
                action={
                  <Action icon={Plus} onClick={() => edit(known)}>
                    {t.set}
                  </Action>
                }
              />
            )}
          </Paper>
        )}
      </Fetched>
    </Section>
  );
}

function LookUpMenu({ edit }: { readonly edit: () => void }) {
  const t = useLookupTexts();
  const { open, ask } = useDialogs();
  const done = useDone();
  const remove = () =>
    ask({
      title: t.removeTitle,
      text: t.removeText,
      action: t.remove,
      keep: t.keep,
      run: async () => {
        await client.DELETE(LOOKUP, {});
        await done(t.removed, LOOKUP);
      },
    });
  return (
    <ActionMenu
      label={t.actions}
      entries={[
        { icon: Search, label: t.try, onClick: () => open(t.try, <TryForm />) },
        { icon: Pencil, label: t.edit, onClick: edit },
        'divider',
        { icon: Trash2, label: t.remove, danger: true, onClick: remove },
      ]}
    />
  );
}

function LookUpFacts({ lookUp, ready }: { readonly lookUp: LookUp; readonly ready: State['ready'] }) {
  const t = useLookupTexts();
  const language = useLanguage();
  const { description, fault, is_enabled: isEnabled } = lookUp;
  const title =
    typeof description === 'string'
      ? (ready.find(({ name }) => name === description)?.title ?? description)
      : String(description.title ?? t.own);
  const tone = !isEnabled ? 'neutral' : fault ? 'bad' : 'good';
  const number = (value: number) => value.toLocaleString(language);
  return (
    <Facts
      rows={[
        [t.provider, <bdi key="provider">{title}</bdi>],
        [
          t.state,
          <Fragment key="state">
            <StatusBadge tone={tone}>{!isEnabled ? t.off : fault ? t.failing : t.on}</StatusBadge>
            {isEnabled && fault && <FaultDetail detail={fault.detail} />}
          </Fragment>,
        ],
        [t.today, t.ofDay(number(lookUp.used_today), number(lookUp.per_day))],
        [t.prefixes, <PrefixList key="prefixes" prefixes={lookUp.prefixes} />],
        [t.validFor, t.days(lookUp.valid_days)],
      ]}
    />
  );
}

/** The error of the network or of the provider. */
function FaultDetail({ detail }: { readonly detail: string }) {
  return (
    <Muted size="xs" className="break-anywhere">
      <bdi dir="ltr">{detail}</bdi>
    </Muted>
  );
}

interface Values extends DescriptionValues {
  is_enabled: boolean;
  prefixes: string[];
  per_day: number;
  valid_days: number;
  timeout_ms: number;
}

const digitsOf = (prefix: string) => prefix.replace(/^\+/, '');

function LookUpForm({ state: { look_up: saved, ready } }: { readonly state: State }) {
  const t = useLookupTexts();
  const { connectors } = useOperatorTexts();
  const { common } = useTexts();
  const done = useDone();
  const { is_enabled, prefixes, per_day, valid_days, timeout_ms } = saved ?? defaults;
  const form = useForm<Values>({
    initialValues: {
      ...descriptionValues(saved?.description, ready),
      ...{ is_enabled, per_day, valid_days, timeout_ms },
      prefixes: prefixes.includes('') ? [] : [...prefixes],
    },
    validate: ({ prefixes: given }) => {
      const wrong = given.find((prefix) => !/^\d{1,15}$/.test(digitsOf(prefix)));
      return wrong === undefined ? {} : { prefixes: t.form.badPrefix(wrong) };
    },
  });
  const secretNames = secretNamesOf(form.getValues(), ready);
  const submission = useSubmission(
    form,
    async (values) => {
      const description = descriptionOf(values);
      if (description === undefined) {
        form.setFieldError('document', connectors.notJson);
        return false;
      }
      const secrets = enteredSecrets(values, secretNames);
      const body = {
        description,
        ...(secrets && { secrets }),
        is_enabled: values.is_enabled,
        prefixes: values.prefixes.length === 0 ? [''] : values.prefixes.map(digitsOf),
        ...{ per_day: values.per_day, valid_days: values.valid_days, timeout_ms: values.timeout_ms },
        ...(saved && { window: saved.window }),
      };
      try {
        await client.PUT(LOOKUP, { body });
      } catch (problem) {
        if (!(problem instanceof CarillonError) || !problem.field?.startsWith('description')) throw problem;
        form.setFieldError(typeof description === 'string' ? 'description' : 'document', problem.message);
        return false;
      }
      await done(t.saved, LOOKUP);
      return true;
    },
    {
      ...Object.fromEntries(secretNames.map((name) => [`secrets.${name}`, `secrets.${name}`])),
      secrets: `secrets.${secretNames[0]}`,
    },
  );
  const number = (name: 'per_day' | 'valid_days' | 'timeout_ms', label: string, min: number, max: number) => (
    <NumberInput
      label={label}
      {...{ min, max, allowDecimal: false, allowNegative: false, required: true }}
      {...(name === 'per_day' && { description: t.form.perDayHint, ...hintBelow })}
      {...form.getInputProps(name)}
    />
  );
  return (
    <Form submission={submission} action={saved ? common.save : t.set}>
      {fieldsOf(form).toggle('is_enabled', t.form.enabled)}
      <DescriptionFields form={form} ready={ready} isSaved={saved !== null} />
      <TagsInput
        label={t.form.prefixes}
        description={t.form.prefixesHint}
        inputMode="tel"
        maxTags={MAX_PREFIXES}
        dir="ltr"
        splitChars={[',', ';', ' ', '\n']}
        {...hintBelow}
        {...form.getInputProps('prefixes')}
      />
      {number('per_day', t.form.perDay, 1, MAX_PER_DAY)}
      {number('valid_days', t.form.validDays, 1, MAX_DAYS)}
      {number('timeout_ms', t.form.timeout, MIN_TIMEOUT, MAX_TIMEOUT)}
    </Form>
  );
}

function TryForm() {
  const t = useLookupTexts();
  const [tried, setTried] = useState<Tried>();
  const form = useForm({ initialValues: { phone: '' } });
  const submission = useSubmission(form, async ({ phone }) => {
    setTried(undefined);
    setTried(await client.POST('/v1/operator/number-lookup/try', { body: { phone } }));
    return false;
  });
  return (
    <Form submission={submission} action={t.submit}>
      {fieldsOf(form).text('phone', t.phone, {
        ...{ required: true, inputMode: 'tel', hint: t.tryHint, focus: true },
      })}
      <Text size="sm" role="status" component="div">
        {tried && <TryResult tried={tried} />}
      </Text>
    </Form>
  );
}

function TryResult({ tried }: { readonly tried: Tried }) {
  const { result: t } = useLookupTexts();
  const language = useLanguage();
  const { result, network, ported, reachable, fault, milliseconds } = tried;
  const facts = [
    ported !== null && (ported ? t.ported : t.notPorted),
    reachable !== null && (reachable ? t.reachable : t.notReachable),
    t.took(milliseconds.toLocaleString(language)),
  ].filter((fact) => fact !== false);
  return (
    <Stack gap={2}>
      <StatusBadge tone={result === 'found' ? 'good' : result === 'failed' ? 'bad' : 'neutral'}>
        {network === null ? t[result === 'failed' ? 'failed' : 'unknown'] : t.found(network)}
      </StatusBadge>
      {fault && <FaultDetail detail={fault.detail} />}
      <Muted size="xs">{facts.join(' · ')}</Muted>
    </Stack>
  );
}
