import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Card } from '../../components/card.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useTexts } from '../../i18n/texts.tsx';

/** Sends the mail that is being written to a few addresses. `send` gives how many were accepted. */
export function TryMail({
  disabled,
  send,
}: {
  readonly disabled: boolean;
  readonly send: (to: string[]) => Promise<number>;
}) {
  const { mailCampaigns: t } = useTexts();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const to = typed.split(/[\s,;]+/).filter((address) => address !== '');
  async function trySending() {
    setBusy(true);
    setError(undefined);
    try {
      notifications.show({ message: t.tested(await send(to)), color: 'teal' });
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Card title={t.test} lead={t.testHint}>
      <TextInput
        label={t.testTo}
        dir="ltr"
        inputMode="email"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {error !== undefined && <ErrorNote error={error} />}
      <Button
        variant="default"
        leftSection={<MailCheck size={16} aria-hidden />}
        disabled={disabled || to.length === 0}
        loading={busy}
        onClick={() => void trySending()}
      >
        {t.testAction}
      </Button>
    </Card>
  );
}
