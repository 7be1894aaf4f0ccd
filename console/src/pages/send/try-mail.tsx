import { TextInput } from '@mantine/core';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import { useDone } from '../../components/notify.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { SendTest } from './send-test.tsx';
import { useComposerTexts } from './use-composer-texts.ts';

interface Test {
  readonly disabled: boolean;
  readonly send: (to: string[]) => Promise<number>;
}

/** Sends a test of the email to a few addresses. `send` returns the number of accepted addresses. */
export function TryMail(test: Test) {
  const { mailCampaigns: t } = useTexts();
  return (
    <SendTest title={t.test} lead={t.testHint}>
      {(close) => <ToAddresses {...test} onSent={close} />}
    </SendTest>
  );
}

function ToAddresses({ disabled, send, onSent }: Test & { readonly onSent: () => void }) {
  const { mailCampaigns: t } = useTexts();
  const { testToAddresses } = useComposerTexts();
  const [typed, setTyped] = useState('');
  const done = useDone();
  const to = typed.split(/[\s,;]+/).filter((address) => address !== '');
  const { busy, error, run } = useTask(async () => {
    const accepted = await send(to);
    onSent();
    await done(t.tested(accepted));
  });
  return (
    <>
      <TextInput
        label={t.testTo}
        dir="ltr"
        inputMode="email"
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <ErrorNote error={error} />
      <Action
        icon={Send}
        mirrored
        disabled={disabled || to.length === 0}
        loading={busy}
        onClick={() => void run()}
      >
        {testToAddresses}
      </Action>
    </>
  );
}
