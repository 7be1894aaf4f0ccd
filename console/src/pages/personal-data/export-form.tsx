import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import type { Found } from './found-person.tsx';
import { usePersonalDataTexts } from './texts.ts';

export const MAX_REFERENCE = 100;

/** Starts an export in a dialog, and leads to its page. */
export function ExportForm({ person }: Pick<Found, 'person'>) {
  const t = usePersonalDataTexts();
  const refresh = useRefresh();
  const [, navigate] = useLocation();
  const form = useForm({ initialValues: { reference: '' } });
  const submission = useSubmission(form, async ({ reference }) => {
    const data = await client.POST('/v1/data-subjects/exports', { body: { ...person, reference } });
    await refresh('/v1/data-subjects/requests');
    navigate(`/personal-data/${data.id}`);
  });
  return (
    <Form submission={submission} action={t.startExport}>
      <Text size="sm">{t.exportText}</Text>
      {fieldsOf(form).text('reference', t.reference, {
        written: true,
        hint: t.referenceHint,
        focus: true,
        maxLength: MAX_REFERENCE,
      })}
    </Form>
  );
}
