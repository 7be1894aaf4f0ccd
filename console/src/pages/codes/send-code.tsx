import { Alert, Paper, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { CircleCheck, CircleX } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { useDialog } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Muted } from '../../components/text.tsx';
import { Phone } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';

/** Where the code goes in a text. */
const PLACEHOLDER = '[code]';
const EXAMPLE = '123456';

/** What is out of date after a code was sent or checked. */
const stale = ['/v1/otp/hours', '/v1/otp/applications', '/v1/otp/conversion', '/v1/wallet'] as const;

/** Sends a one-time code, with a preview of its text, and then asks for it. */
export function SendCode() {
  const { codes: t, handset } = useTexts();
  const done = useDone();
  const dialog = useDialog()!;
  const form = useForm({
    initialValues: { phone: '', source: '', text: t.defaultText },
    validate: {
      text: (text) => (text.includes(PLACEHOLDER) ? null : t.placeholderMissing),
    },
  });
  const submission = useSubmission(form, async (values) => {
    await client.POST('/v1/otp', { body: { ...values, includes_international: true } });
    await done(t.codeSent, ...stale);
    return dialog.show(t.checkTitle, <CheckCode phone={values.phone} />);
  });
  const field = fieldsOf(form);
  const { source, text } = form.values;
  return (
    <Stack>
      <Paper withBorder p="sm" component="section" aria-label={handset.preview}>
        <Muted size="xs">
          {handset.preview}
          {source !== '' && (
            <>
              {' · '}
              <Phone number={source} />
            </>
          )}
        </Muted>
        <Text dir="auto">{text.replaceAll(PLACEHOLDER, EXAMPLE)}</Text>
      </Paper>
      <Form submission={submission} action={t.sendCode}>
        {field.text('phone', t.phone, { required: true, focus: true, inputMode: 'tel' })}
        {field.text('source', t.sender, { required: true, maxLength: 50 })}
        {field.text('text', t.text, {
          required: true,
          written: true,
          lines: 2,
          maxLength: 1_005,
          hint: t.textHint,
        })}
      </Form>
    </Stack>
  );
}

/** Checks the code that somebody got, as a program would. */
function CheckCode({ phone }: { readonly phone: string }) {
  const { codes: t } = useTexts();
  const done = useDone();
  const [verified, setVerified] = useState<boolean>();
  const form = useForm({ initialValues: { code: '' } });
  const submission = useSubmission(form, async ({ code }) => {
    setVerified(undefined);
    const { data } = await client.POST('/v1/otp/check', { body: { phone, code } });
    setVerified(data!.verified);
    await done(t.codeChecked, ...stale);
    return false;
  });
  return (
    <Stack>
      <Muted>
        {t.checkText} <Phone number={phone} />
      </Muted>
      {verified !== undefined && (
        <Alert
          role="status"
          color={verified ? 'teal' : 'red'}
          icon={verified ? <CircleCheck aria-hidden /> : <CircleX aria-hidden />}
        >
          {verified ? t.codeRight : t.codeWrong}
        </Alert>
      )}
      <Form submission={submission} action={t.checkCode}>
        {fieldsOf(form).text('code', t.code, {
          required: true,
          focus: true,
          inputMode: 'numeric',
          maxLength: 6,
          autoComplete: 'one-time-code',
        })}
      </Form>
    </Stack>
  );
}
