import { Button, Group, Stack, Text } from '@mantine/core';
import { client } from '../../api/client.ts';
import { sessionKey } from '../../api/session.ts';
import { useSession } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { useDialog, useDialogs } from '../../components/dialogs.tsx';
import { useDone } from '../../components/notify.ts';
import { StatusBadge } from '../../components/values.tsx';
import {
  Ask,
  AskPassword,
  RecoveryCodes,
  ScanSecret,
} from '../../features/credentials/second-factor-steps.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** The second factor: turning it on and off, and recovery codes. */
export function SecondFactor() {
  const { account: t } = useTexts();
  const session = useSession();
  const { authenticator_app: on, second_factor: hasFactor, second_factor_required: required } = session;
  const { open } = useDialogs();
  return (
    <Card
      id="second-factor"
      title={t.secondFactor}
      lead={on && required ? t.secondFactorRequired : t.secondFactorHint}
      actions={
        <StatusBadge tone={on ? 'good' : 'neutral'}>{on ? t.secondFactorOn : t.secondFactorOff}</StatusBadge>
      }
    >
      <Group gap="sm">
        {hasFactor && (
          <Button variant="default" onClick={() => open(t.newRecovery, <Renew />)}>
            {t.newRecovery}
          </Button>
        )}
        {on ? (
          !required && (
            <Button variant="light" color="red" onClick={() => open(t.turnOffTitle, <TurnOff />)}>
              {t.turnOff}
            </Button>
          )
        ) : (
          <Button onClick={() => open(t.turnOn, <TurnOn />)}>{t.turnOn}</Button>
        )}
      </Group>
    </Card>
  );
}

function TurnOn() {
  const { has_password: hasPassword } = useSession();
  const { account: t } = useTexts();
  const dialog = useDialog()!;
  const done = useDone();
  async function confirmed(codes: readonly string[]) {
    await done(t.turnedOn, sessionKey);
    return dialog.show(t.recoveryTitle, <RecoveryCodes codes={codes} />);
  }
  return (
    <AskPassword
      hasPassword={hasPassword}
      onSecret={(secret) => dialog.show(t.turnOn, <ScanSecret {...secret} onConfirmed={confirmed} />)}
    />
  );
}

function Renew() {
  const { has_password: hasPassword } = useSession();
  const { account: t } = useTexts();
  const dialog = useDialog()!;
  return (
    <Ask
      fields={hasPassword ? ['password'] : []}
      action={t.newRecovery}
      submit={async ({ password }) => {
        const data = await client.POST('/v1/session/recovery-codes', {
          body: hasPassword ? { password } : {},
        });
        return dialog.show(t.recoveryTitle, <RecoveryCodes codes={data.recovery_codes} />);
      }}
    />
  );
}

function TurnOff() {
  const { has_password: hasPassword } = useSession();
  const { account: t, common } = useTexts();
  const done = useDone();
  return (
    <Stack>
      <Text size="sm">{t.turnOffText}</Text>
      <Ask
        fields={hasPassword ? ['password', 'code'] : ['code']}
        action={t.turnOff}
        keep={common.keeps.secondFactor}
        submit={async ({ password, code }) => {
          await client.POST('/v1/session/second-factor/remove', {
            body: hasPassword ? { password, code } : { code },
          });
          await done(t.turnedOff, sessionKey);
        }}
      />
    </Stack>
  );
}
