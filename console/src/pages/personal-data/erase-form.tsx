import { List, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { CountsTable } from './data-counts.tsx';
import { MAX_REFERENCE } from './export-form.tsx';
import type { Found } from './found-person.tsx';
import { usePersonalDataTexts } from './texts.ts';

/** Says in a dialog what an erasure does and leaves, has it confirmed by the number, starts it, and leads to its page. */
export function EraseForm({ found: { person, answer } }: { readonly found: Found }) {
  const t = usePersonalDataTexts();
  const refresh = useRefresh();
  const [, navigate] = useLocation();
  // The identifier as typed in the search: the service accepts every spelling of it as the confirmation.
  const first = [...person.phones, ...person.emails, ...person.chat_ids][0]!;
  const form = useForm({ initialValues: { confirm: '', reference: '' } });
  const submission = useSubmission(form, async (values) => {
    const data = await client.POST('/v1/data-subjects/erasures', { body: { ...person, ...values } });
    await refresh('/v1/data-subjects/requests');
    navigate(`/personal-data/${data.id}`);
  });
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={t.startErasure} keep={t.keep}>
      <Text size="sm">
        {t.eraseText} {t.eraseWaiting}
      </Text>
      <CountsTable caption={t.found} counts={answer.counts} withEffects empty={t.foundNothing} />
      <Stack gap={4}>
        <Text size="sm" fw={600}>
          {t.stays}
        </Text>
        <List size="sm">
          {t.staying.map((text) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      </Stack>
      {field.text('confirm', t.confirm(`\u2068${first}\u2069`), {
        required: true,
        autoComplete: 'off',
        spellCheck: false,
      })}
      {field.text('reference', t.reference, {
        written: true,
        hint: t.referenceHint,
        maxLength: MAX_REFERENCE,
      })}
    </Form>
  );
}
