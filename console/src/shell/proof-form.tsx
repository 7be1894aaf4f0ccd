import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import type { Answer } from '../api/operations.ts';
import { sessionKey } from '../api/session.ts';
import { useSubmission } from '../components/form.tsx';
import { PasswordField } from '../components/password-field.tsx';
import { errorText } from '../components/states.tsx';
import { mayUsePasskeys, proofOf } from '../features/credentials/passkeys.ts';
import { useTexts } from '../i18n/use-texts.tsx';
import { leaveForProof } from '../pages/sign-in/leave-to-provider.ts';

/** Takes the proof in one of the ways that the person has. */
export default function ProofForm({
  methods,
  onProved,
}: {
  readonly methods: Answer<'/v1/session'>['proof_methods'];
  readonly onProved: () => void;
}) {
  const texts = useTexts();
  const { proof: t } = texts;
  const queryClient = useQueryClient();
  const proved = () => {
    void queryClient.invalidateQueries({ queryKey: sessionKey });
    onProved();
  };
  const form = useForm({ initialValues: { secret: '' } });
  const isPassword = methods.includes('password');
  const typed = useSubmission(form, async ({ secret }) => {
    const body = isPassword ? { password: secret } : { code: secret.trim() };
    await client.POST('/v1/session/proof', { body });
    proved();
  });
  const passkey = useSubmission(useForm({ initialValues: {} }), async () => {
    const data = await client.POST('/v1/session/proof/options');
    await client.POST('/v1/session/proof', { body: { passkey: await proofOf(data.options ?? {}) } });
    proved();
  });
  const provider = useSubmission(useForm({ initialValues: {} }), leaveForProof);
  const error = typed.error ?? passkey.error ?? provider.error;
  const isTyped = isPassword || methods.includes('code');
  return (
    <form onSubmit={typed.onSubmit} noValidate>
      <Stack>
        <Text size="sm">{methods.length > 0 ? t.lead : t.none}</Text>
        <div aria-live="polite">
          {error !== undefined && <Alert color="red">{errorText(error, texts)}</Alert>}
        </div>
        {isPassword && (
          <PasswordField
            label={t.password}
            autoComplete="current-password"
            data-autofocus
            {...form.getInputProps('secret')}
          />
        )}
        {!isPassword && isTyped && (
          <TextInput
            label={t.code}
            description={t.codeHint}
            autoComplete="one-time-code"
            data-autofocus
            required
            dir="ltr"
            {...form.getInputProps('secret')}
          />
        )}
        {isTyped && (
          <Button type="submit" loading={typed.busy}>
            {t.confirm}
          </Button>
        )}
        {methods.includes('passkey') && mayUsePasskeys() && (
          <Button variant="default" loading={passkey.busy} onClick={() => passkey.onSubmit()}>
            {t.usePasskey}
          </Button>
        )}
        {methods.includes('provider') && (
          <>
            <Text size="sm">{t.providerHint}</Text>
            <Button variant="default" loading={provider.busy} onClick={() => provider.onSubmit()}>
              {t.useProvider}
            </Button>
          </>
        )}
      </Stack>
    </form>
  );
}
