import { TextInput } from '@mantine/core';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { useDone } from '../../components/notify.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Sends a test of the email to a few addresses. `send` returns the number of accepted addresses. */
export function TryMail({
  disabled,
  send,
}: {
  readonly disabled: boolean;
  readonly send: (to: string[]) => Promise<number>;
}) {
  const { mailCampaigns: t } = useTexts();
  const [typed, setTyped] = useState('');
  const done = useDone();
  const to = typed.split(/[\s,;]+/).filter((address) => address !== '');
  const { busy, error, run } = useTask(async () => done(t.tested(await send(to))));
  return (
    <Card title={t.test} lead={t.testHint}>
      <TextInput
        label={t.testTo}
        dir="ltr"
        inputMode="email"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ErrorNote error={error} />
      <Action
        icon={MailCheck}
        variant="default"
        disabled={disabled || to.length === 0}
        loading={busy}
        onClick={() => void run()}
      >
        {t.testAction}
      </Action>
    </Card>
  );
}
