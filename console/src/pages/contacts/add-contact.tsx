import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { writtenText } from '../../components/direction.ts';
import { useSubmission } from '../../components/form.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';

interface NamedList {
  readonly id: string;
  readonly columns: readonly string[];
}

/** Adds one contact to a list. */
export function AddContact({
  list,
  opened,
  onClose,
}: {
  readonly list: NamedList;
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const { contacts: t, common } = useTexts();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.addContact}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <ContactForm list={list} onClose={onClose} />
    </Modal>
  );
}

function ContactForm({ list, onClose }: { readonly list: NamedList; readonly onClose: () => void }) {
  const { contacts: t, common } = useTexts();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { phone: '', fields: list.columns.map(() => '') } });
  const { onSubmit, busy, error } = useSubmission(
    form,
    async (contact) => {
      const { data } = await client.POST('/v1/contact-lists/{id}/contacts', {
        params: { path: { id: list.id } },
        body: { contacts: [contact] },
      });
      if (data!.added === 1) notifications.show({ message: t.added, color: 'teal' });
      else notifications.show({ message: t.present, color: 'orange' });
      await queryClient.invalidateQueries({ queryKey: ['contacts', list.id] });
      await queryClient.invalidateQueries({ queryKey: ['get', '/v1/contact-lists/{id}'] });
      onClose();
    },
    { 'contacts[0].phone': 'phone' },
  );
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label={t.phone}
          dir="ltr"
          inputMode="tel"
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('phone')}
        />
        {list.columns.map((name, index) => (
          <TextInput
            // biome-ignore lint/suspicious/noArrayIndexKey: two fields may have one name
            key={index}
            label={name || t.field(index + 1)}
            {...writtenText}
            maxLength={1000}
            {...form.getInputProps(`fields.${index}`)}
          />
        ))}
        {error !== undefined && <ErrorNote error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={busy}>
            {common.add}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
