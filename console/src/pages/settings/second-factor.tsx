import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { sessionKey } from '../../api/session.ts';
import { useSession } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { useDone } from '../../components/notify.ts';
import { StatusBadge } from '../../components/values.tsx';
import {
  Ask,
  AskPassword,
  RecoveryCodes,
  ScanSecret,
  type SecondFactorSecret,
} from '../../features/credentials/second-factor-steps.tsx';
import { useTexts } from '../../i18n/texts.tsx';

type Dialog =
  | { readonly kind: 'turn-on' | 'turn-off' | 'renew' }
  | { readonly kind: 'scan'; readonly secret: SecondFactorSecret }
  | { readonly kind: 'recovery'; readonly codes: readonly string[] };

/** The second factor: turning it on and off, and recovery codes. */
export function SecondFactor() {
  const { account: t } = useTexts();
  const { second_factor: on, second_factor_required: required } = useSession();
  const done = useDone();
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
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
      lead={on && required ? t.secondFactorRequired : t.secondFactorHint}
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
            {!required && (
              <Button variant="light" color="red" onClick={() => setDialog({ kind: 'turn-off' })}>
                {t.turnOff}
              </Button>
            )}
          </>
        ) : (
          <Button onClick={() => setDialog({ kind: 'turn-on' })}>{t.turnOn}</Button>
        )}
      </Group>
      <Modal opened={dialog !== undefined} onClose={close} title={dialog && titles[dialog.kind]}>
        {dialog?.kind === 'turn-on' && (
          <AskPassword onSecret={(secret) => setDialog({ kind: 'scan', secret })} />
        )}
        {dialog?.kind === 'scan' && (
          <ScanSecret
            {...dialog.secret}
            onConfirmed={async (codes) => {
              setDialog({ kind: 'recovery', codes });
              await done(t.turnedOn, sessionKey);
            }}
          />
        )}
        {dialog?.kind === 'recovery' && <RecoveryCodes codes={dialog.codes} onKept={close} />}
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
                await done(t.turnedOff, sessionKey);
              }}
            />
          </Stack>
        )}
      </Modal>
    </Card>
  );
}
