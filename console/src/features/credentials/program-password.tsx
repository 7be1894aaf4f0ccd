import { Alert, Button, Group, Stack, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Form, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { NewPassword, PasswordField, useSamePassword } from '../../components/password-field.tsx';
import { Fetched } from '../../components/states.tsx';
import { StatusBadge } from '../../components/values.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { useProgramPasswordTexts } from './program-password-texts.ts';

type State = Answer<'/v1/account/password'>;
type Deed = 'set' | 'remove' | 'sign-in';

/** The password of the account as a part of a page. */
export function ProgramPasswordCard() {
  const t = useProgramPasswordTexts();
  return (
    <Card title={t.title} lead={t.lead}>
      <ProgramPassword />
    </Card>
  );
}

/**
 * The password that programs of an account sign in with: set, removed, and switched on and off. With `username` it is that of
 * a subscriber.
 */
export function ProgramPassword({ username }: { readonly username?: string }) {
  const query = useAnswer('/v1/account/password', {
    query: username === undefined ? {} : { username },
  });
  return <Fetched query={query}>{(state) => <Shown state={state} username={username} />}</Fetched>;
}

function Shown({ state, username }: { readonly state: State; readonly username: string | undefined }) {
  const t = useProgramPasswordTexts();
  const { open } = useDialogs();
  const { has_password: has, password_sign_in: signsIn, password_weak: weak } = state;
  const set = has ? t.change : t.set;
  const setDeed = (deed: Deed) =>
    open(titles[deed], <Change deed={deed} signsIn={signsIn} username={username} />);
  const titles = { set, remove: t.removeTitle, 'sign-in': signsIn ? t.turnOffTitle : t.turnOnTitle };
  return (
    <Stack>
      {weak && (
        <Alert color="orange" title={t.weak}>
          {t.weakText}
        </Alert>
      )}
      <Group gap="sm">
        <StatusBadge tone={has ? 'good' : 'neutral'}>{has ? t.isSet : t.notSet}</StatusBadge>
        <Button variant="default" onClick={() => setDeed('set')}>
          {set}
        </Button>
        {has && (
          <Button variant="light" color="red" onClick={() => setDeed('remove')}>
            {t.remove}
          </Button>
        )}
      </Group>
      <Switch
        label={t.signIn}
        description={t.signInHint}
        checked={signsIn}
        onChange={() => setDeed('sign-in')}
      />
    </Stack>
  );
}

/** Asks for what a change needs, and for the own password. */
function Change({
  deed,
  signsIn,
  username,
}: {
  readonly deed: Deed;
  readonly signsIn: boolean;
  readonly username: string | undefined;
}) {
  const t = useProgramPasswordTexts();
  const { account, common } = useTexts();
  const done = useDone();
  const form = useForm({
    initialValues: { own_password: '', password: '', repeat: '' },
    validate: useSamePassword(),
  });
  const submission = useSubmission(form, async ({ own_password, password }) => {
    const changes = {
      set: { password },
      remove: { password: null },
      'sign-in': { password_sign_in: !signsIn },
    } as const;
    await client.PATCH('/v1/account/password', {
      query: username === undefined ? {} : { username },
      body: { own_password, ...changes[deed] },
    });
    await done(t.done, '/v1/account/password');
  });
  const actions = { set: t.save, remove: t.remove, 'sign-in': signsIn ? t.turnOff : t.turnOn };
  return (
    <Form
      submission={submission}
      action={actions[deed]}
      keep={deed === 'remove' ? common.keeps.password : undefined}
    >
      {deed === 'set' && (
        <NewPassword form={form} label={t.password} description={t.passwordHint} data-autofocus />
      )}
      <PasswordField
        label={account.passwordAgain}
        autoComplete="current-password"
        {...form.getInputProps('own_password')}
      />
    </Form>
  );
}
