import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { endSession, sessionKey } from '../../api/session.ts';
import { useSubmission } from '../../components/form.tsx';
import { errorText } from '../../components/states.tsx';
import { mayUsePasskeys, proofOf } from '../../features/credentials/passkeys.ts';
import { SignInFrame } from './frame.tsx';
import { useSignInTexts } from './texts.ts';

/** For a person who signed in through a provider that reported no second factor, and who has one here. */
export default function ProveFactor({ username }: { readonly username: string }) {
  const texts = useSignInTexts();
  const { signIn: t } = texts;
  const queryClient = useQueryClient();
  const refresh = useRefresh();
  const form = useForm({ initialValues: { code: '' } });
  const code = useSubmission(form, async (given) => {
    await client.POST('/v1/session/second-factor/prove', { body: { code: given.code.trim() } });
    await refresh(sessionKey);
  });
  const keyForm = useForm({ initialValues: {} });
  const key = useSubmission(keyForm, async () => {
    const data = await client.POST('/v1/session/second-factor/options');
    const passkey = await proofOf(data.options ?? {});
    await client.POST('/v1/session/second-factor/prove', { body: { passkey } });
    await refresh(sessionKey);
  });
  const error = code.error ?? key.error;
  return (
    <SignInFrame title={t.codeTitle} lead={t.codeHint}>
      <form onSubmit={code.onSubmit} noValidate>
        <Stack>
          <div aria-live="polite">
            {error !== undefined && <Alert color="red">{errorText(error, texts)}</Alert>}
          </div>
          <TextInput
            label={t.code}
            autoComplete="one-time-code"
            autoFocus
            required
            dir="ltr"
            {...form.getInputProps('code')}
          />
          <Button type="submit" size="md" loading={code.busy} fullWidth mt="xs">
            {t.confirm}
          </Button>
          {mayUsePasskeys() && (
            <Button variant="default" loading={key.busy} onClick={() => key.onSubmit()}>
              {t.usePasskey}
            </Button>
          )}
          <Button variant="subtle" onClick={() => void endSession(queryClient)}>
            {t.factor.signOut(username)}
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
