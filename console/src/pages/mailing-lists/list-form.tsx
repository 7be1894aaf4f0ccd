import { Button, Checkbox, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import { writtenText } from '../../components/direction.ts';
import { useSubmission } from '../../components/form.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import type { MailList } from './user-states.ts';

const NAME_MOST = 200;
const DESCRIPTION_MOST = 2_000;

type Settings = Pick<MailList, 'name' | 'description' | 'confirm' | 'track'>;

const fresh: Settings = { name: '', description: '', confirm: false, track: true };

interface Dialog {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Makes a mailing list, and opens it. */
export function NewList(dialog: Dialog) {
  const { mailLists: t } = useTexts();
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  return (
    <SettingsDialog
      {...dialog}
      title={t.newList}
      action={t.create}
      settings={fresh}
      save={async (body) => {
        const { data } = await client.POST('/v1/mail/lists', { body });
        notifications.show({ message: t.made(data!.name), color: 'teal' });
        await queryClient.invalidateQueries({ queryKey: ['mail-lists'] });
        navigate(`/mailing-lists/${data!.id}`);
      }}
    />
  );
}

/** Renames a list, and changes what is done with it. */
export function ListSettings({ list, ...dialog }: Dialog & { readonly list: MailList }) {
  const { mailLists: t, common } = useTexts();
  const queryClient = useQueryClient();
  return (
    <SettingsDialog
      {...dialog}
      title={t.settings}
      action={common.save}
      settings={list}
      save={async (body) => {
        await client.PATCH('/v1/mail/lists/{id}', { params: { path: { id: list.id } }, body });
        notifications.show({ message: t.changed, color: 'teal' });
        await queryClient.invalidateQueries({ queryKey: ['get', '/v1/mail/lists/{id}'] });
        await queryClient.invalidateQueries({ queryKey: ['mail-lists'] });
        dialog.onClose();
      }}
    />
  );
}

function SettingsDialog({
  opened,
  onClose,
  title,
  ...fields
}: Dialog & {
  readonly title: string;
  readonly action: string;
  readonly settings: Settings;
  readonly save: (settings: Settings) => Promise<void>;
}) {
  const { common } = useTexts();
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': common.close }}>
      <SettingsFields {...fields} onCancel={onClose} />
    </Modal>
  );
}

/** Within the dialog, so that it begins anew with each opening. */
function SettingsFields({
  action,
  settings,
  save,
  onCancel,
}: {
  readonly action: string;
  readonly settings: Settings;
  readonly save: (settings: Settings) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const { mailLists: t, common } = useTexts();
  const { name, description, confirm, track } = settings;
  const form = useForm({ initialValues: { name, description, confirm, track } });
  const { onSubmit, busy, error } = useSubmission(form, save);
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
        <Textarea
          label={t.description}
          {...writtenText}
          autosize
          minRows={2}
          maxLength={DESCRIPTION_MOST}
          {...form.getInputProps('description')}
        />
        <Checkbox
          label={t.confirm}
          description={t.confirmHint}
          {...form.getInputProps('confirm', { type: 'checkbox' })}
        />
        <Checkbox
          label={t.track}
          description={t.trackHint}
          {...form.getInputProps('track', { type: 'checkbox' })}
        />
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
