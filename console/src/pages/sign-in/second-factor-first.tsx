import { Button, SegmentedControl, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endSession } from '../../api/session.ts';
import { AddPasskey } from '../../features/credentials/add-passkey.tsx';
import { mayUsePasskeys } from '../../features/credentials/passkeys.ts';
import {
  AskPassword,
  RecoveryCodes,
  ScanSecret,
  type SecondFactorSecret,
} from '../../features/credentials/second-factor-steps.tsx';
import { SignInFrame } from './frame.tsx';
import { useSignInTexts } from './texts.ts';

type Way = 'app' | 'passkey';

/** For whoever is signed in without the second factor that is required: sets one up before anything else. */
export default function SecondFactorFirst({
  username,
  hasPassword,
  onConfirmed,
  onDone,
}: {
  readonly username: string;
  readonly hasPassword: boolean;
  /** The second factor is in force; the recovery codes are still to be shown. */
  readonly onConfirmed: () => void;
  readonly onDone: () => void;
}) {
  const { signIn, account } = useSignInTexts();
  const t = signIn.factor;
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<SecondFactorSecret>();
  const [way, setWay] = useState<Way>('app');
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) {
    return (
      <SignInFrame title={account.recoveryTitle}>
        <RecoveryCodes codes={codes} onKept={onDone} />
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={t.title} lead={t.lead}>
      {secret ? (
        <ScanSecret
          {...secret}
          onConfirmed={async (made) => {
            onConfirmed();
            setCodes(made);
          }}
        />
      ) : (
        <>
          <Text size="sm">{t.app}</Text>
          {mayUsePasskeys() && (
            <SegmentedControl
              aria-label={t.title}
              value={way}
              onChange={(value) => setWay(value as Way)}
              data={[
                { value: 'app', label: t.byApp },
                { value: 'passkey', label: t.byPasskey },
              ]}
            />
          )}
          {way === 'app' ? (
            <AskPassword hasPassword={hasPassword} onSecret={setSecret} />
          ) : (
            <AddPasskey
              hasPassword={hasPassword}
              onAdded={async (made) => {
                onConfirmed();
                setCodes(made);
              }}
            />
          )}
        </>
      )}
      <Button variant="subtle" onClick={() => void endSession(queryClient)}>
        {t.signOut(username)}
      </Button>
    </SignInFrame>
  );
}
