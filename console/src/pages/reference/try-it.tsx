import {
  Alert,
  Button,
  Group,
  PasswordInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { RotateCcw, Send } from 'lucide-react';
import { useState } from 'react';
import { atLeast } from '../../api/session.ts';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { StatusBadge } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { isTooMany } from '../developers/too-many.ts';
import { useExampleToken } from '../start/token.ts';
import type { Operation } from './description.ts';
import { type Answer, curlOf, type Draft, exchange } from './exchange.ts';

const formNames: Readonly<Record<string, string>> = {
  'application/json': 'JSON',
  'application/xml': 'XML',
  'text/csv': 'CSV',
};

/** A request of an operation, ready to be changed and sent, and what comes back. */
export function TryIt({ operation }: { readonly operation: Operation }) {
  const { reference: t, tokens } = useTexts();
  const { account, role, sandbox } = useSession();
  // Only /v1 knows sessions.
  const knowsSessions = operation.path.startsWith('/v1/');
  const [method, setMethod] = useState<'session' | 'token'>(knowsSessions ? 'session' : 'token');
  const [wanted, setWanted] = useState(false);
  const made = useExampleToken(t.title, wanted);
  const [pasted, setPasted] = useState<string>();
  const [parameters, setParameters] = useState<Readonly<Record<string, string>>>({});
  const [type, setType] = useState(operation.forms[0]?.type);
  const [bodies, setBodies] = useState<Readonly<Record<string, string>>>({});
  const [busy, setBusy] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const [error, setError] = useState<unknown>();
  const [answer, setAnswer] = useState<Answer>();

  const token = pasted ?? made.data ?? '';
  const example = operation.forms.find((form) => form.type === type)?.example ?? '';
  const body = bodies[type ?? ''] ?? forAccount(example, account?.username);
  const draft: Draft = { parameters, type, body, token: method === 'token' ? token : undefined };
  const shownToken = token === '' ? 'TOKEN' : '••••••••';
  const needsConfirming = operation.method === 'DELETE';

  async function send() {
    setBusy(true);
    setError(undefined);
    setAnswer(undefined);
    try {
      setAnswer(await exchange(operation, draft));
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Card
      title={t.tryIt}
      lead={account && (sandbox ? t.realSandbox(account.username) : t.real(account.username))}
      actions={
        operation.forms.length > 1 && (
          <SegmentedControl
            size="xs"
            dir="ltr"
            aria-label={t.form}
            value={type ?? ''}
            onChange={setType}
            data={operation.forms.map((form) => ({
              value: form.type,
              label: formNames[form.type] ?? form.type,
            }))}
          />
        )
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (needsConfirming) setConfirming(true);
          else void send();
        }}
      >
        <Stack>
          {operation.parameters.length > 0 && (
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              {operation.parameters.map(({ name, required = false, schema }) => (
                <TextInput
                  key={name}
                  label={<bdi dir="ltr">{name}</bdi>}
                  dir="ltr"
                  size="sm"
                  required={required}
                  placeholder={placeholderOf(schema.examples?.[0] ?? schema.default)}
                  value={parameters[name] ?? ''}
                  onChange={(event) => setParameters({ ...parameters, [name]: event.currentTarget.value })}
                />
              ))}
            </SimpleGrid>
          )}
          {type !== undefined && (
            <Textarea
              label={
                <Group gap="xs" component="span">
                  {t.body} <bdi dir="ltr">{formNames[type]}</bdi>
                </Group>
              }
              dir="ltr"
              autosize
              minRows={4}
              maxRows={22}
              spellCheck={false}
              classNames={{ input: 'code-input' }}
              value={body}
              onChange={(event) => setBodies({ ...bodies, [type]: event.currentTarget.value })}
            />
          )}
          <Group align="flex-end" gap="sm">
            {knowsSessions && (
              <div>
                <Text size="sm" fw={500} mb={4} id="signed-in-with">
                  {t.signedInWith}
                </Text>
                <SegmentedControl
                  aria-labelledby="signed-in-with"
                  value={method}
                  onChange={setMethod}
                  data={[
                    { value: 'session', label: t.session },
                    { value: 'token', label: t.token },
                  ]}
                />
              </div>
            )}
            {method === 'token' && (
              <>
                <PasswordInput
                  label={t.tokenField}
                  description={atLeast(role, 'owner') ? t.tokenHint : undefined}
                  dir="ltr"
                  autoComplete="off"
                  required
                  withAsterisk={false}
                  flex={1}
                  miw={200}
                  value={token}
                  onChange={(event) => setPasted(event.currentTarget.value)}
                />
                {atLeast(role, 'owner') && account && token === '' && (
                  <Button variant="default" loading={made.isFetching} onClick={() => setWanted(true)}>
                    {t.makeToken}
                  </Button>
                )}
              </>
            )}
          </Group>
          {wanted && isTooMany(made.error) && (
            <Alert color="orange" role="alert">
              {tokens.tooMany}
            </Alert>
          )}
          {wanted && made.error && !isTooMany(made.error) && <ErrorNote error={made.error} />}
          <Group gap="sm">
            <Button type="submit" loading={busy} rightSection={<Send size={16} className="mirrored" />}>
              {t.send}
            </Button>
            {type !== undefined && bodies[type] !== undefined && (
              <Button
                variant="subtle"
                color="gray"
                leftSection={<RotateCcw size={15} className="mirrored" />}
                onClick={() => setBodies({})}
              >
                {t.reset}
              </Button>
            )}
          </Group>
          <div aria-live="polite" className="answer">
            {busy && operation.id === 'watchLive' && <Text size="sm">{t.listening}</Text>}
            {error !== undefined && <ErrorNote error={error} />}
            {answer && <ShownAnswer answer={answer} />}
          </div>
          <details>
            <summary>
              <Text span size="sm" fw={600}>
                {t.asCurl}
              </Text>
            </summary>
            <CodeBlock
              code={curlOf(operation, draft, token || 'TOKEN')}
              shown={curlOf(operation, draft, shownToken)}
              label={t.asCurl}
            />
          </details>
        </Stack>
      </form>
      <Confirm
        opened={confirming}
        onClose={() => setConfirming(false)}
        title={t.confirmTitle}
        action={t.send}
        danger
        onConfirm={send}
      >
        {account && t.real(account.username)}
      </Confirm>
    </Card>
  );
}

function ShownAnswer({ answer }: { readonly answer: Answer }) {
  const { reference: t } = useTexts();
  return (
    <Stack gap="xs">
      <div>
        <StatusBadge tone={answer.ok ? 'good' : 'bad'}>
          {t.took(answer.status, answer.milliseconds)}
        </StatusBadge>
      </div>
      {answer.text === '' ? (
        <Text size="sm" c="dimmed">
          {t.emptyAnswer}
        </Text>
      ) : (
        <CodeBlock code={answer.text} label={t.answer} />
      )}
      {answer.cut && <Alert color="gray">{t.cut}</Alert>}
    </Stack>
  );
}

const placeholderOf = (value: unknown) => (value === undefined || value === '' ? undefined : String(value));

/** An example of the SMS family, which names the account, for the one that one acts for. */
function forAccount(example: string, username: string | undefined): string {
  if (username === undefined) return example;
  return example
    .replace('<username>demo</username>', `<username>${username}</username>`)
    .replace('"username": "demo"', `"username": ${JSON.stringify(username)}`);
}
