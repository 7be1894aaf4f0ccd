import { Alert, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ChartColumn, CircleCheck, CircleX, Send } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { Muted } from '../../components/text.tsx';
import { Phone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Verifies a code as a program does. `onAgain` returns to the composer. */
export function CheckCode({ phone, onAgain }: { readonly phone: string; readonly onAgain: () => void }) {
  const { send, shell } = useTexts();
  const t = send.code;
  const refresh = useRefresh();
  const [verified, setVerified] = useState<boolean>();
  const form = useForm({ initialValues: { code: '' } });
  const submission = useSubmission(form, async ({ code }) => {
    setVerified(undefined);
    const data = await client.POST('/v1/otp/check', { body: { phone, code } });
    setVerified(data.verified);
    await refresh('/v1/otp/hours', '/v1/otp/applications', '/v1/otp/conversion');
  });
  return (
    <Card title={t.checkTitle}>
      <Muted>
        {t.checkText} <Phone number={phone} />
      </Muted>
      {verified !== undefined && (
        <Alert
          role="status"
          color={verified ? 'teal' : 'red'}
          icon={verified ? <CircleCheck aria-hidden /> : <CircleX aria-hidden />}
        >
          {verified ? t.right : t.wrong}
        </Alert>
      )}
      <Form submission={submission} action={t.check} narrow>
        {fieldsOf(form).text('code', t.code, {
          required: true,
          autoFocus: true,
          inputMode: 'numeric',
          maxLength: 6,
          autoComplete: 'one-time-code',
          maw: 200,
        })}
      </Form>
      <Group gap="sm">
        <Action icon={Send} mirrored variant="default" onClick={onAgain}>
          {t.again}
        </Action>
        <Action icon={ChartColumn} variant="default" href="/codes">
          {shell.codes}
        </Action>
      </Group>
    </Card>
  );
}
