import { Fieldset, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { Plus } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import { Action } from '../../components/action.tsx';
import { writtenText } from '../../components/direction.ts';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import type { MailList, MailUser } from './user-states.ts';

const MAX_NAME = 320;
const MAX_PHONE = 50;
const MAX_VALUE = 1_000;

/** Adds a recipient to a list, or edits one. The address identifies the recipient and cannot be edited. */
export function UserForm({ list, user }: { readonly list: MailList; readonly user?: MailUser }) {
  const { mailLists: t, common } = useTexts();
  const done = useDone();
  const known = [...new Set([...list.columns, ...Object.keys(user?.fields ?? {})])];
  const form = useForm<Values>({
    initialValues: {
      email: user?.email ?? '',
      first_name: user?.first_name ?? '',
      last_name: user?.last_name ?? '',
      cellphone: user?.cellphone ?? '',
      fields: known.map((name) => ({ name, value: String(user?.fields[name] ?? '') })),
      undelete: false,
    },
  });
  const submission = useSubmission(
    form,
    async ({ fields, undelete, ...person }) => {
      const named = fields.filter(
        // Empty values are sent only to clear an existing value.
        ({ name, value }) => name.trim() !== '' && (value !== '' || user?.fields[name] !== undefined),
      );
      await client.POST('/v1/mail/lists/{id}/users', {
        ...byId(list.id),
        body: {
          users: [
            {
              ...person,
              fields: Object.fromEntries(named.map(({ name, value }) => [name.trim(), value])),
              ...(undelete && { undelete }),
            },
          ],
        },
      });
      await done(user ? t.userChanged : t.added, '/v1/mail/lists/{id}/users', '/v1/mail/lists/{id}');
    },
    {
      'users[0].email': 'email',
      'users[0].first_name': 'first_name',
      'users[0].last_name': 'last_name',
      'users[0].cellphone': 'cellphone',
    },
  );
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={user ? common.save : t.addUserAction}>
      <TextInput
        label={t.email}
        type="email"
        dir="ltr"
        required
        readOnly={user !== undefined}
        {...(!user && { 'data-autofocus': true })}
        {...form.getInputProps('email')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {field.text('first_name', t.firstName, { written: true, maxLength: MAX_NAME })}
        {field.text('last_name', t.lastName, { written: true, maxLength: MAX_NAME })}
      </SimpleGrid>
      {field.text('cellphone', t.cellphone, { inputMode: 'tel', maxLength: MAX_PHONE })}
      <OwnFields form={form} known={known} />
      {!user && field.checkbox('undelete', t.restore, t.restoreHint)}
    </Form>
  );
}

interface Values extends Record<string, unknown> {
  email: string;
  first_name: string;
  last_name: string;
  cellphone: string;
  fields: { name: string; value: string }[];
  undelete: boolean;
}

/** Fields of a recipient: the known ones, and new ones with their names. */
function OwnFields({
  form,
  known,
}: {
  readonly form: UseFormReturnType<Values>;
  readonly known: readonly string[];
}) {
  const { mailLists: t } = useTexts();
  const field = fieldsOf(form);
  return (
    <Fieldset legend={t.fields}>
      <Stack gap="xs">
        {form.values.fields.map(({ name }, index) =>
          index < known.length ? (
            <TextInput
              key={known[index]}
              label={<bdi>{name}</bdi>}
              {...writtenText}
              maxLength={MAX_VALUE}
              {...form.getInputProps(`fields.${index}.value`)}
            />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: its name is being written
            <SimpleGrid key={index} cols={2}>
              {field.text(`fields.${index}.name`, t.fieldName, { written: true, maxLength: 100 })}
              {field.text(`fields.${index}.value`, t.fieldValue, { written: true, maxLength: MAX_VALUE })}
            </SimpleGrid>
          ),
        )}
        <Group>
          <Action
            icon={Plus}
            size="compact-sm"
            variant="subtle"
            onClick={() => form.insertListItem('fields', { name: '', value: '' })}
          >
            {t.addField}
          </Action>
        </Group>
      </Stack>
    </Fieldset>
  );
}
