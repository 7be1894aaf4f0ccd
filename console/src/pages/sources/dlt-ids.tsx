import { Fieldset, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Pencil, Plus } from 'lucide-react';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { RemoveButton } from '../../components/remove-button.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useSourceTexts } from './texts.ts';

type Ids = Answer<'/v1/dlt-ids'>;

const MAX_DIGITS = 30;

/** Ids of the account and its senders on India's DLT platforms. */
export function DltIds() {
  const { dlt: t, source } = useSourceTexts();
  const query = useAnswer('/v1/dlt-ids');
  const mayChange = useMay('owner');
  const { open } = useDialogs();
  return (
    <Fetched query={query}>
      {(ids) => (
        <Card
          title={t.title}
          lead={t.lead}
          actions={
            mayChange && (
              <Action
                icon={Pencil}
                size="xs"
                variant="default"
                onClick={() => open(t.title, <DltIdsForm ids={ids} />)}
              >
                {t.edit}
              </Action>
            )
          }
        >
          {ids.entity_id !== null && (
            <Text size="sm">
              {t.entity}: <bdi dir="ltr">{ids.entity_id}</bdi>
            </Text>
          )}
          {ids.senders.length > 0 && (
            <RowsTable
              caption={t.title}
              rows={ids.senders}
              rowKey={(row) => row.source}
              columns={[
                { title: source, rowHeader: true, cell: (row) => <bdi dir="ltr">{row.source}</bdi> },
                { title: t.template, cell: (row) => <bdi dir="ltr">{row.template_id}</bdi> },
                { title: t.entity, cell: (row) => <bdi dir="ltr">{row.entity_id}</bdi> },
              ]}
            />
          )}
        </Card>
      )}
    </Fetched>
  );
}

const idOf = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim());

function DltIdsForm({ ids }: { readonly ids: Ids }) {
  const { dlt: t, source } = useSourceTexts();
  const { common } = useTexts();
  const done = useDone();
  const form = useForm({
    initialValues: {
      entity_id: ids.entity_id ?? '',
      senders: ids.senders.map(({ source: sender, template_id, entity_id }) => ({
        ...{ source: sender, template_id: template_id ?? '', entity_id: entity_id ?? '' },
      })),
    },
  });
  const submission = useSubmission(form, async ({ entity_id, senders }) => {
    await client.PATCH('/v1/dlt-ids', {
      body: {
        entity_id: idOf(entity_id),
        senders: senders.map((one) => ({
          source: one.source.trim(),
          template_id: idOf(one.template_id),
          entity_id: idOf(one.entity_id),
        })),
      },
    });
    await done(t.saved, '/v1/dlt-ids');
  });
  const input = (name: string) => ({ dir: 'ltr' as const, ...form.getInputProps(name) });
  const digits = { inputMode: 'numeric' as const, maxLength: MAX_DIGITS };
  return (
    <Form submission={submission} action={common.save}>
      {fieldsOf(form).text('entity_id', t.entity, { hint: t.entityHint, ...digits })}
      {form.getValues().senders.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a field of the form
        <Fieldset key={at} legend={t.senderOf(at + 1)} p="sm">
          <Group align="flex-start" gap="xs">
            <TextInput label={source} required {...input(`senders.${at}.source`)} />
            <TextInput label={t.template} {...digits} {...input(`senders.${at}.template_id`)} />
            <TextInput label={t.entity} {...digits} {...input(`senders.${at}.entity_id`)} />
            <RemoveButton
              size="lg"
              mt="xl"
              label={t.removeSender(at + 1)}
              onClick={() => form.removeListItem('senders', at)}
            />
          </Group>
        </Fieldset>
      ))}
      <Muted size="xs">{t.sendersHint}</Muted>
      <div>
        <Action
          icon={Plus}
          size="xs"
          variant="light"
          onClick={() => form.insertListItem('senders', { source: '', template_id: '', entity_id: '' })}
        >
          {t.addSender}
        </Action>
      </div>
    </Form>
  );
}
