import { Button, Checkbox, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { writtenText } from '../../components/direction.ts';
import { useSubmission } from '../../components/form.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';

interface Dialog {
  readonly opened: boolean;
  readonly onClose: () => void;
}

const NAME_MOST = 11;
const NOTE_MOST = 500;

/** Asks for numbers to be verified. */
export function VerifyNumbers({ opened, onClose }: Dialog) {
  const { sources: t, common } = useTexts();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.verifyTitle}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <VerifyForm onClose={onClose} />
    </Modal>
  );
}

function VerifyForm({ onClose }: { readonly onClose: () => void }) {
  const { sources: t, common } = useTexts();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { phones: '', international: false } });
  const { onSubmit, busy, error } = useSubmission(form, async ({ phones, international }) => {
    const numbers = phones
      .split(/[\n,;]+/)
      .map((number) => number.trim())
      .filter((number) => number !== '');
    const { data } = await client.POST('/v1/sources/verify', {
      body: { phones: numbers, includes_international: international },
    });
    notifications.show({ message: data!.message, color: 'teal', autoClose: 15_000 });
    await queryClient.invalidateQueries({ queryKey: ['get', '/v1/sources'] });
    await queryClient.invalidateQueries({ queryKey: ['get', '/v1/wallet'] });
    onClose();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Text size="sm">{t.verifyText}</Text>
        <Textarea
          label={t.numbers}
          description={t.numbersHint}
          dir="ltr"
          inputMode="tel"
          autosize
          minRows={3}
          maxRows={10}
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('phones')}
        />
        <Checkbox label={t.international} {...form.getInputProps('international', { type: 'checkbox' })} />
        {error !== undefined && <ErrorNote error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={busy}>
            {t.verifyAction}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Asks the operator for a sender name. */
export function AskForName({ opened, onClose }: Dialog) {
  const { sources: t, common } = useTexts();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.askTitle}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <NameForm onClose={onClose} />
    </Modal>
  );
}

function NameForm({ onClose }: { readonly onClose: () => void }) {
  const { sources: t, common } = useTexts();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { source: '', note: '' },
    validate: {
      source: (name) =>
        /^(?=.*[a-z])[0-9a-z_.-]([0-9a-z _.-]*[0-9a-z_.-])?$/i.test(name) ? null : t.nameProblem,
    },
  });
  const { onSubmit, busy, error } = useSubmission(form, async (body) => {
    await client.POST('/v1/sources/names', { body });
    notifications.show({ message: t.asked, color: 'teal' });
    await queryClient.invalidateQueries({ queryKey: ['get', '/v1/sources'] });
    onClose();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Text size="sm">{t.askText}</Text>
        <TextInput
          label={t.name}
          description={t.nameHint}
          dir="ltr"
          maxLength={NAME_MOST}
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps('source')}
        />
        <Textarea
          label={t.note}
          description={t.noteHint}
          {...writtenText}
          autosize
          minRows={2}
          maxLength={NOTE_MOST}
          {...form.getInputProps('note')}
        />
        {error !== undefined && <ErrorNote error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" loading={busy}>
            {t.askAction}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
