import { NativeSelect, Radio, Stack } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useRefresh } from '../../api/refresh.ts';
import { useDialog } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { useShowLink } from '../../features/invitations/show-link.tsx';
import { languageNames, languages } from '../../i18n/languages.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type AccountRole, accountRoles, type Person, type Team } from './team.ts';
import { usePeopleTexts } from './texts.ts';

function RoleField<Values>({ form }: { readonly form: UseFormReturnType<Values> }) {
  const t = usePeopleTexts();
  const { shell } = useTexts();
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

/** Adds a person to a team. */
export function AddPerson({ team }: { readonly team: Team }) {
  const t = usePeopleTexts();
  const refresh = useRefresh();
  const showLink = useShowLink();
  const dialog = useDialog()!;
  const form = useForm({
    initialValues: { name: '', username: '', role: 'sender' as AccountRole, language: '' },
  });
  const submission = useSubmission(form, async ({ language, ...values }) => {
    const { person, link } = await team.add({
      ...values,
      ...(language !== '' && { language: language as 'en' | 'he' }),
    });
    await refresh(team.people);
    return showLink(dialog, person.name, link);
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.addSubmit}>
      {field.text('name', t.name, { written: true, required: true, focus: true })}
      {field.text('username', t.username, { hint: t.usernameHint, required: true, autoComplete: 'off' })}
      {!team.operators && <RoleField form={form} />}
      <NativeSelect
        label={t.language}
        data={[
          { value: '', label: t.languageOfBrowser },
          ...languages.map((value) => ({ value, label: languageNames[value] })),
        ]}
        {...form.getInputProps('language')}
      />
    </Form>
  );
}

/** Changes the name and the role of a person. */
export function EditPerson({ team, person }: { readonly team: Team; readonly person: Person }) {
  const t = usePeopleTexts();
  const { common } = useTexts();
  const done = useDone();
  const form = useForm({ initialValues: { name: person.name, role: person.role as AccountRole } });
  const submission = useSubmission(form, async (values) => {
    await team.change(person.id, values);
    await done(t.changed(values.name), team.people);
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={common.save}>
      {field.text('name', t.name, { written: true, required: true, focus: true })}
      {!team.operators && <RoleField form={form} />}
    </Form>
  );
}
