import { Button, Code, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { encode } from 'uqr';
import { client } from '../../api/client.ts';
import { sessionKey } from '../../api/session.ts';
import { Card } from '../../components/card.tsx';
import { Copy } from '../../components/copy.tsx';
import { useSubmission } from '../../components/form.ts';
import { PasswordField } from '../../components/password-field.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { StatusBadge } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';

type Dialog =
  | { readonly kind: 'turn-on' | 'turn-off' | 'renew' }
  | { readonly kind: 'scan'; readonly secret: string; readonly uri: string }
  | { readonly kind: 'recovery'; readonly codes: readonly string[] };

/** The second factor: turning it on and off, and recovery codes. */
export function SecondFactor() {
  const { account: t, common } = useTexts();
  const { second_factor: on } = useSession();
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const refresh = () => queryClient.invalidateQueries({ queryKey: sessionKey });
  const titles = {
    'turn-on': t.turnOn,
    scan: t.turnOn,
    'turn-off': t.turnOffTitle,
    renew: t.newRecovery,
    recovery: t.recoveryTitle,
  };
  return (
    <Card
      title={t.secondFactor}
      lead={t.secondFactorHint}
      actions={
        <StatusBadge tone={on ? 'good' : 'neutral'}>{on ? t.secondFactorOn : t.secondFactorOff}</StatusBadge>
      }
    >
      <Group gap="sm">
        {on ? (
          <>
            <Button variant="default" onClick={() => setDialog({ kind: 'renew' })}>
              {t.newRecovery}
            </Button>
            <Button variant="light" color="red" onClick={() => setDialog({ kind: 'turn-off' })}>
              {t.turnOff}
            </Button>
          </>
        ) : (
          <Button onClick={() => setDialog({ kind: 'turn-on' })}>{t.turnOn}</Button>
        )}
      </Group>
      <Modal
        opened={dialog !== undefined}
        onClose={close}
        title={dialog && titles[dialog.kind]}
        centered
        closeButtonProps={{ 'aria-label': common.close }}
      >
        {dialog?.kind === 'turn-on' && (
          <Ask
            fields={['password']}
            action={t.next}
            submit={async ({ password }) => {
              const { data } = await client.POST('/v1/session/second-factor', { body: { password } });
              setDialog({ kind: 'scan', ...data! });
            }}
          />
        )}
        {dialog?.kind === 'scan' && (
          <Stack>
            <Text size="sm">{t.scan}</Text>
            <QrCode text={dialog.uri} label={t.qrLabel} />
            <Text size="sm" c="dimmed">
              {t.typeInstead}
            </Text>
            <Group gap="xs" wrap="nowrap" dir="ltr">
              <Code className="secret">{dialog.secret.match(/.{1,4}/g)!.join(' ')}</Code>
              <Copy value={dialog.secret} />
            </Group>
            <Ask
              fields={['code']}
              action={t.confirmOn}
              submit={async ({ code }) => {
                const { data } = await client.POST('/v1/session/second-factor/confirm', { body: { code } });
                setDialog({ kind: 'recovery', codes: data!.recovery_codes });
                notifications.show({ message: t.turnedOn, color: 'teal' });
                await refresh();
              }}
            />
          </Stack>
        )}
        {dialog?.kind === 'recovery' && (
          <Stack>
            <Text size="sm">{t.recoveryText}</Text>
            <SimpleGrid cols={2} spacing="xs" dir="ltr">
              {dialog.codes.map((code) => (
                <Code key={code}>{code}</Code>
              ))}
            </SimpleGrid>
            <Group justify="space-between">
              <Copy value={dialog.codes.join('\n')} />
              <Button onClick={close}>{t.recoveryKept}</Button>
            </Group>
          </Stack>
        )}
        {dialog?.kind === 'renew' && (
          <Ask
            fields={['password']}
            action={t.newRecovery}
            submit={async ({ password }) => {
              const { data } = await client.POST('/v1/session/recovery-codes', { body: { password } });
              setDialog({ kind: 'recovery', codes: data!.recovery_codes });
            }}
          />
        )}
        {dialog?.kind === 'turn-off' && (
          <Stack>
            <Text size="sm">{t.turnOffText}</Text>
            <Ask
              fields={['password', 'code']}
              action={t.turnOff}
              danger
              submit={async ({ password, code }) => {
                await client.POST('/v1/session/second-factor/remove', { body: { password, code } });
                close();
                notifications.show({ message: t.turnedOff });
                await refresh();
              }}
            />
          </Stack>
        )}
      </Modal>
    </Card>
  );
}

/** Asks for what a step needs. */
function Ask({
  fields,
  action,
  danger = false,
  submit,
}: {
  readonly fields: readonly ('password' | 'code')[];
  readonly action: string;
  readonly danger?: boolean;
  readonly submit: (values: { password: string; code: string }) => Promise<void>;
}) {
  const { account: t } = useTexts();
  const form = useForm({ initialValues: { password: '', code: '' } });
  const { onSubmit, busy, error } = useSubmission(form, submit);
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        {fields.includes('password') && (
          <PasswordField
            label={t.passwordAgain}
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus
            dir="ltr"
            {...form.getInputProps('password')}
          />
        )}
        {fields.includes('code') && (
          <TextInput
            label={t.code}
            autoComplete="one-time-code"
            required
            withAsterisk={false}
            dir="ltr"
            {...form.getInputProps('code')}
          />
        )}
        {error !== undefined && <ErrorNote error={error} />}
        <Button type="submit" loading={busy} {...(danger && { color: 'red' })}>
          {action}
        </Button>
      </Stack>
    </form>
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
