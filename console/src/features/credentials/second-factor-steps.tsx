import { Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMemo } from 'react';
import { encode } from 'uqr';
import { client } from '../../api/client.ts';
import { Copy } from '../../components/copy.tsx';
import { useDialog } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Secret for an authenticator app. */
export interface SecondFactorSecret {
  readonly secret: string;
  readonly uri: string;
}

/** The first step: the password, for which the service makes a secret. */
export function AskPassword({
  hasPassword,
  onSecret,
}: {
  /** Without one, having signed in a moment ago is enough. */
  readonly hasPassword: boolean;
  readonly onSecret: (secret: SecondFactorSecret) => unknown;
}) {
  const { account: t } = useTexts();
  return (
    <Ask
      fields={hasPassword ? ['password'] : []}
      action={t.next}
      submit={async ({ password }) => {
        const body = hasPassword ? { password } : {};
        const data = await client.POST('/v1/session/second-factor', { body });
        return onSecret(data);
      }}
    />
  );
}

/** The second step: the secret goes to the phone, and a code of the phone puts it in force. */
export function ScanSecret({
  secret,
  uri,
  onConfirmed,
}: SecondFactorSecret & { readonly onConfirmed: (recoveryCodes: readonly string[]) => Promise<unknown> }) {
  const { account: t } = useTexts();
  return (
    <Stack>
      <Text size="sm">{t.scan}</Text>
      <QrCode text={uri} label={t.qrLabel} />
      <Muted>{t.typeInstead}</Muted>
      <Group gap="xs" wrap="nowrap" dir="ltr">
        <Code className="secret">{secret.match(/.{1,4}/g)!.join(' ')}</Code>
        <Copy value={secret} />
      </Group>
      <Ask
        fields={['code']}
        action={t.confirmOn}
        submit={async ({ code }) => {
          const data = await client.POST('/v1/session/second-factor/confirm', { body: { code } });
          return onConfirmed(data.recovery_codes);
        }}
      />
    </Stack>
  );
}

/** The last step: the recovery codes, shown this once. */
export function RecoveryCodes({
  codes,
  onKept,
}: {
  readonly codes: readonly string[];
  /** Without it they are in a dialog, which closes. */
  readonly onKept?: () => void;
}) {
  const { account: t } = useTexts();
  const dialog = useDialog();
  return (
    <Stack>
      <Text size="sm">{t.recoveryText}</Text>
      <SimpleGrid cols={1} spacing="xs" dir="ltr">
        {codes.map((code) => (
          <Code key={code}>{code}</Code>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <Copy value={codes.join('\n')} />
        <Button onClick={onKept ?? dialog?.close}>{t.recoveryKept}</Button>
      </Group>
    </Stack>
  );
}

/** Asks for what a step needs. */
export function Ask({
  fields,
  action,
  keep,
  submit,
}: {
  readonly fields: readonly ('password' | 'code')[];
  readonly action: string;
  /** Label of the button that cancels a destructive action. */
  readonly keep?: string;
  readonly submit: (values: { password: string; code: string }) => Promise<unknown>;
}) {
  const { account: t } = useTexts();
  const form = useForm({ initialValues: { password: '', code: '' } });
  const submission = useSubmission(form, submit);
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={action} keep={keep}>
      {fields.includes('password') && (
        <PasswordField
          label={t.passwordAgain}
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
      )}
      {fields.includes('code') &&
        field.text('code', t.code, { required: true, autoComplete: 'one-time-code' })}
    </Form>
  );
}

/** A QR code as one path; dark on light in both themes, as cameras want it. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { path, size } = useMemo(() => {
    const { data, size: width } = encode(text, { border: 2 });
    const dark = data.flatMap((row, y) => row.flatMap((set, x) => (set ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { path: dark.join(''), size: width };
  }, [text]);
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className="qr"
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
