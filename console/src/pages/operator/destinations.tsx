import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Ban, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useList } from '../../api/paging.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Empty, ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { Muted } from '../../components/text.tsx';
import { Phone, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { AccountSelect } from './account-select.tsx';
import { useOperatorTexts } from './texts.ts';

type Destinations = Answer<'/v1/operator/destinations'>;
type Rule = Destinations['rules'][number];
type Found = Answer<'/v1/operator/destinations/find'>;

const DESTINATIONS = '/v1/operator/destinations';
const EVERYONE = 'everyone';

/** Ranges of numbers that accounts may not send to: the rules of the operator, and the table that ships. */
export default function DestinationRules() {
  const { common } = useTexts();
  const { destinations: t } = useOperatorTexts();
  const done = useDone();
  const { open, ask } = useDialogs();
  const [ranges, setRanges] = useState<Destinations['ranges']>([]);
  const edit = (rule: Partial<Rule>) => open(t.set, <RuleForm rule={rule} />);
  const pages = useList(DESTINATIONS, (answer) => {
    setRanges(answer.ranges);
    return answer.rules;
  });
  const nameOf = (rule: Rule) => `+${rule.prefix}, ${rule.username ?? t.everyone}`;
  const remove = (rule: Rule) =>
    ask({
      title: t.removeTitle,
      action: t.removeSubmit,
      keep: common.keeps.rule,
      run: async () => {
        const { account_id, prefix } = rule;
        await client.POST('/v1/operator/destinations/remove', { body: { account_id, prefix } });
        await done(t.removed, DESTINATIONS);
      },
      text: (
        <>
          <Text size="sm" fw={600} mb={4}>
            <bdi dir="ltr">{nameOf(rule)}</bdi>
          </Text>
          {t.removeText}
        </>
      ),
    });
  const set = (
    <Action icon={Plus} onClick={() => edit({})}>
      {t.set}
    </Action>
  );
  return (
    <Page lead={t.lead} actions={set}>
      <Card title={t.find}>
        <FindRule />
      </Card>
      <DataTable
        pages={pages}
        rowKey={(rule) => `${rule.account_id}-${rule.prefix}`}
        columns={useColumns(nameOf, edit, remove)}
        empty={<Empty icon={Ban} title={t.none} action={set} hint={t.noneHint} />}
      />
      <Card title={t.shipped}>
        <Ranges ranges={ranges} />
      </Card>
    </Page>
  );
}

/** The table that ships, by kind. */
function Ranges({ ranges }: { readonly ranges: Destinations['ranges'] }) {
  const { destinations: t } = useOperatorTexts();
  return (
    <Stack gap="sm">
      <Muted size="sm">{t.shippedHint}</Muted>
      {Object.entries(Object.groupBy(ranges, ({ kind }) => kind)).map(([kind, some]) => (
        <div key={kind}>
          <Text size="sm" fw={600}>
            {t.kinds[kind as keyof typeof t.kinds]}
          </Text>
          <Text size="sm" dir="ltr" className="figures">
            {some.map(({ prefix }) => `+${prefix}`).join(' ')}
          </Text>
        </div>
      ))}
    </Stack>
  );
}

/** Says whether an account may send to a number, and the rule that decides. */
function FindRule() {
  const { destinations: t } = useOperatorTexts();
  const [phone, setPhone] = useState('');
  const [account, setAccount] = useState(EVERYONE);
  const [found, setFound] = useState<Found>();
  const search = useTask(async () => {
    setFound(undefined);
    const query = { phone, ...(account !== EVERYONE && { account }) };
    const data = await client.GET('/v1/operator/destinations/find', { query });
    setFound(data);
  });
  return (
    <Stack gap="xs">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void search.run();
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t.phone}
            dir="ltr"
            inputMode="tel"
            value={phone}
            onChange={(event) => setPhone(event.currentTarget.value)}
          />
          <AccountSelect
            label={t.account}
            value={account}
            onChange={(value) => setAccount(value ?? EVERYONE)}
            first={[{ value: EVERYONE, label: t.everyone }]}
            allowDeselect={false}
          />
          <Button type="submit" variant="default" loading={search.busy} disabled={phone.trim() === ''}>
            {t.findSubmit}
          </Button>
        </Group>
      </form>
      <ErrorNote error={search.error} />
      <Text size="sm" role="status">
        {found && <FoundRule found={found} />}
      </Text>
    </Stack>
  );
}

function FoundRule({ found: { phone, permitted, prefix, by } }: { readonly found: Found }) {
  const { destinations: t } = useOperatorTexts();
  return (
    <>
      <Phone number={phone} />: {permitted ? t.permitted : t.denied}
      {' · '}
      {prefix === null || by === null ? (
        t.noRule
      ) : (
        <>
          {t.kinds[by]} <bdi dir="ltr">{`+${prefix}`}</bdi>
        </>
      )}
    </>
  );
}

function useColumns(
  nameOf: (rule: Rule) => string,
  onChange: (rule: Rule) => void,
  onRemove: (rule: Rule) => void,
): Column<Rule>[] {
  const { destinations: t } = useOperatorTexts();
  return [
    {
      title: t.account,
      cell: (rule) => (rule.username === null ? t.everyone : <bdi dir="ltr">{rule.username}</bdi>),
    },
    {
      title: t.prefix,
      cell: (rule) => <bdi dir="ltr" className="figures">{`+${rule.prefix}`}</bdi>,
    },
    { title: t.rule, cell: (rule) => (rule.permitted ? t.permitted : t.denied) },
    { title: t.note, cell: (rule) => <bdi>{rule.note}</bdi> },
    { title: t.changedAt, cell: (rule) => <Time at={rule.changed_at} /> },
    {
      key: 'actions',
      title: '',
      align: 'end',
      cell: (rule) => (
        <Group gap={2} justify="flex-end" wrap="nowrap">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t.change(nameOf(rule))}
            onClick={() => onChange(rule)}
          >
            <Pencil size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={t.remove(nameOf(rule))}
            onClick={() => onRemove(rule)}
          >
            <Trash2 size={16} />
          </ActionIcon>
        </Group>
      ),
    },
  ];
}

function RuleForm({ rule }: { readonly rule: Partial<Rule> }) {
  const { destinations: t } = useOperatorTexts();
  const done = useDone();
  // An existing rule is identified by its account and prefix.
  const fixed = rule.prefix !== undefined;
  const form = useForm({
    initialValues: {
      account_id: rule.account_id ?? EVERYONE,
      prefix: rule.prefix ?? '',
      permitted: rule.permitted ?? false,
      note: rule.note ?? '',
    },
  });
  const submission = useSubmission(form, async ({ account_id, prefix, permitted, note }) => {
    await client.POST('/v1/operator/destinations', {
      body: {
        account_id: account_id === EVERYONE ? null : account_id,
        prefix: prefix.replace(/^\+/, '').trim(),
        permitted,
        note: note.trim(),
      },
    });
    await done(t.setDone, DESTINATIONS);
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.setSubmit}>
      <AccountSelect
        label={t.account}
        first={[{ value: EVERYONE, label: t.everyone }]}
        allowDeselect={false}
        disabled={fixed}
        {...form.getInputProps('account_id')}
      />
      {field.text('prefix', t.prefix, {
        hint: t.prefixHint,
        inputMode: 'tel',
        required: true,
        disabled: fixed,
      })}
      {field.toggle('permitted', t.permit, t.permitHint)}
      {field.text('note', t.note, { hint: t.noteHint })}
    </Form>
  );
}
