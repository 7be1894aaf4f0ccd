import { Button, Fieldset, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import { writtenText } from '../../components/direction.ts';
import { useSubmission } from '../../components/form.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';

const FIELDS = 6;
const NAME_MOST = 100;

interface NamedList {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly string[];
}

const upToLast = (names: readonly string[]) =>
  names.slice(0, names.findLastIndex((name) => name.trim() !== '') + 1);

/** Makes a list, and opens it. */
export function NewList({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const { contacts: t } = useTexts();
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  return (
    <ListForm
      opened={opened}
      onClose={onClose}
      title={t.newList}
      action={t.create}
      list={undefined}
      save={async (body) => {
        const { data } = await client.POST('/v1/contact-lists', { body });
        notifications.show({ message: t.made(data!.name), color: 'teal' });
        await queryClient.invalidateQueries({ queryKey: ['contact-lists'] });
        navigate(`/contacts/${data!.id}`);
      }}
    />
  );
}

/** Renames a list and its fields. */
export function RenameList({
  list,
  opened,
  onClose,
}: {
  readonly list: NamedList;
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const { contacts: t, common } = useTexts();
  const queryClient = useQueryClient();
  return (
    <ListForm
      opened={opened}
      onClose={onClose}
      title={t.change}
      action={common.save}
      list={list}
      save={async (body) => {
        await client.PATCH('/v1/contact-lists/{id}', { params: { path: { id: list.id } }, body });
        notifications.show({ message: t.changed, color: 'teal' });
        await queryClient.invalidateQueries({ queryKey: ['get', '/v1/contact-lists/{id}'] });
        await queryClient.invalidateQueries({ queryKey: ['contact-lists'] });
        onClose();
      }}
    />
  );
}

function ListForm({
  opened,
  onClose,
  title,
  action,
  list,
  save,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly action: string;
  readonly list: NamedList | undefined;
  readonly save: (body: { name: string; columns: string[] }) => Promise<void>;
}) {
  const { common } = useTexts();
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': common.close }}>
      <ListFields list={list} action={action} onCancel={onClose} save={save} />
    </Modal>
  );
}

/** Within the dialog, so that it begins anew with each opening. */
function ListFields({
  list,
  action,
  onCancel,
  save,
}: {
  readonly list: NamedList | undefined;
  readonly action: string;
  readonly onCancel: () => void;
  readonly save: (body: { name: string; columns: string[] }) => Promise<void>;
}) {
  const { contacts: t, common } = useTexts();
  const form = useForm({
    initialValues: {
      name: list?.name ?? '',
      columns: Array.from({ length: FIELDS }, (_, index) => list?.columns[index] ?? ''),
    },
  });
  const { onSubmit, busy, error } = useSubmission(form, ({ name, columns }) =>
    save({ name, columns: upToLast(columns) }),
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label={t.name}
          {...writtenText}
          required
          withAsterisk={false}
          maxLength={NAME_MOST}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Fieldset legend={t.fieldNames}>
          <Text size="sm" c="dimmed" mb="xs">
            {t.fieldNamesHint}
          </Text>
          <SimpleGrid cols={2} spacing="xs">
            {form.values.columns.map((_, index) => (
              <TextInput
                // biome-ignore lint/suspicious/noArrayIndexKey: fields have nothing but their place
                key={index}
                aria-label={t.field(index + 1)}
                placeholder={t.field(index + 1)}
                {...writtenText}
                maxLength={NAME_MOST}
                {...form.getInputProps(`columns.${index}`)}
              />
            ))}
          </SimpleGrid>
        </Fieldset>
        {error !== undefined && <ErrorNote error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
