import { Button, NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { writtenText } from '../../components/direction.ts';
import { useSubmission } from '../../components/form.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { languageNames, languages } from '../../preferences.ts';
import { type AccountRole, accountRoles, type Person, type PersonLink, type Team } from './team.ts';

function RoleField<Values>({ form }: { readonly form: UseFormReturnType<Values> }) {
  const { people: t, shell } = useTexts();
  return (
    <Radio.Group label={t.role} {...form.getInputProps('role')}>
      <Stack gap="xs" mt="xs">
        {accountRoles.map((role) => (
          <Radio key={role} value={role} label={shell.roles[role]} description={t.roleHints[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** Adds somebody to a team. */
export function AddPerson({
  team,
  onAdded,
}: {
  readonly team: Team;
  readonly onAdded: (name: string, link: PersonLink) => Promise<void>;
}) {
  const { people: t } = useTexts();
  const form = useForm({
    initialValues: { name: '', username: '', role: 'sender' as AccountRole, language: '' },
  });
  const { onSubmit, busy, error } = useSubmission(form, async ({ language, ...values }) => {
    const { person, link } = await team.add({
      ...values,
      ...(language !== '' && { language: language as 'en' | 'he' }),
    });
    await onAdded(person.name, link);
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label={t.name}
          required
          withAsterisk={false}
          data-autofocus
          {...writtenText}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t.username}
          description={t.usernameHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          dir="ltr"
          autoComplete="off"
          required
          withAsterisk={false}
          {...form.getInputProps('username')}
        />
        {!team.operators && <RoleField form={form} />}
        <NativeSelect
          label={t.language}
          data={[
            { value: '', label: t.languageOfBrowser },
            ...languages.map((value) => ({ value, label: languageNames[value] })),
          ]}
          {...form.getInputProps('language')}
        />
        {error !== undefined && <ErrorNote error={error} />}
        <Button type="submit" loading={busy}>
          {t.addSubmit}
        </Button>
      </Stack>
    </form>
  );
}

/** Changes the name and the role of somebody. */
export function EditPerson({
  team,
  person,
  onDone,
}: {
  readonly team: Team;
  readonly person: Person;
  readonly onDone: () => Promise<void>;
}) {
  const { people: t, common } = useTexts();
  const form = useForm({ initialValues: { name: person.name, role: person.role as AccountRole } });
  const { onSubmit, busy, error } = useSubmission(form, async (values) => {
    await team.change(person.id, values);
    notifications.show({ message: t.changed(values.name), color: 'teal' });
    await onDone();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <TextInput
          label={t.name}
          required
          withAsterisk={false}
          data-autofocus
          {...writtenText}
          {...form.getInputProps('name')}
        />
        {!team.operators && <RoleField form={form} />}
        {error !== undefined && <ErrorNote error={error} />}
        <Button type="submit" loading={busy}>
          {common.save}
        </Button>
      </Stack>
    </form>
  );
}
