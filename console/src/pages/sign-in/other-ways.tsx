import { Button, Divider, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import { useAnswer } from '../../api/queries.ts';
import type { Who } from '../../api/session.ts';
import { fieldsOf, useSubmission } from '../../components/form.tsx';
import { errorText } from '../../components/states.tsx';
import { mayUsePasskeys, proofOf } from '../../features/credentials/passkeys.ts';
import { leaveToProvider } from './leave-to-provider.ts';
import { useSignInTexts } from './texts.ts';

/** Alternatives to the password: a passkey, and sign-in providers. */
export function OtherWays({
  onEntered,
  onError,
}: {
  readonly onEntered: (who: Who) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}) {
  const { signIn: t } = useSignInTexts();
  const [busy, setBusy] = useState<string>();
  const [asksEmail, setAsksEmail] = useState(false);
  const { data } = useAnswer('/v1/session/providers');
  async function attempt(way: string, work: () => Promise<unknown>) {
    setBusy(way);
    onError(undefined);
    try {
      await work();
    } catch (error) {
      onError(error);
    } finally {
      setBusy(undefined);
    }
  }
  async function byPasskey() {
    const begun = await client.POST('/v1/session/passkey/options');
    const passkey = await proofOf(begun.options);
    await onEntered(await client.POST('/v1/session/passkey', { body: { passkey } }));
  }
  return (
    <Stack gap="sm">
      <Divider label={t.or} />
      {mayUsePasskeys() && (
        <Button
          variant="default"
          leftSection={<KeyRound size={18} aria-hidden />}
          loading={busy === 'passkey'}
          onClick={() => void attempt('passkey', byPasskey)}
        >
          {t.byPasskey}
        </Button>
      )}
      {data?.providers.map(({ slug, name }) => (
        <Button
          key={slug}
          variant="default"
          loading={busy === slug}
          onClick={() => void attempt(slug, () => leaveToProvider({ slug }))}
        >
          {t.provider.by(name)}
        </Button>
      ))}
      {asksEmail ? (
        <AskEmail />
      ) : (
        <Button variant="subtle" onClick={() => setAsksEmail(true)}>
          {t.provider.byEmail}
        </Button>
      )}
    </Stack>
  );
}

/** Finds a sign-in provider by the domain of an email address. */
function AskEmail() {
  const texts = useSignInTexts();
  const t = texts.signIn;
  const form = useForm({ initialValues: { email: '' } });
  const { onSubmit, busy } = useSubmission(form, async ({ email }) => {
    try {
      await leaveToProvider({ email: email.trim() });
    } catch (error) {
      const isUnknown = error instanceof CarillonError && error.code === 'not-found';
      form.setFieldError('email', isUnknown ? t.provider.unknown : errorText(error, texts));
    }
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        {fieldsOf(form).text('email', t.provider.email, {
          required: true,
          type: 'email',
          autoComplete: 'email',
          autoFocus: true,
          hint: t.provider.emailHint,
        })}
        <Button type="submit" variant="default" loading={busy}>
          {t.provider.next}
        </Button>
      </Stack>
    </form>
  );
}
