import {
  Alert,
  Button,
  Group,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { RotateCcw, Send } from 'lucide-react';
import { useState } from 'react';
import { useMay, useSession } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { Muted } from '../../components/text.tsx';
import { StatusBadge } from '../../components/values.tsx';
import { useExampleToken } from '../../features/credentials/example-token.ts';
import { TokenError } from '../../features/credentials/token-error.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import type { Operation } from './description.ts';
import { curlOf, type Draft, type Exchanged, exchange } from './exchange.ts';
import { useReferenceTexts } from './texts.ts';

const formNames: Readonly<Record<string, string>> = {
  'application/json': 'JSON',
  'application/xml': 'XML',
  'text/csv': 'CSV',
};

/** A request of an operation, ready to be changed and sent, and what comes back. */
export function TryIt({ operation }: { readonly operation: Operation }) {
  const t = useReferenceTexts();
  const { tokens, common } = useTexts();
  const { account, sandbox } = useSession();
  // Only /v1 knows sessions.
  const knowsSessions = operation.path.startsWith('/v1/');
  const [method, setMethod] = useState<'session' | 'token'>(knowsSessions ? 'session' : 'token');
  const [wanted, setWanted] = useState(false);
  const made = useExampleToken('reference', wanted);
  const [pasted, setPasted] = useState<string>();
  const [parameters, setParameters] = useState<Readonly<Record<string, string>>>({});
  const [type, setType] = useState(operation.forms[0]?.type);
  const [bodies, setBodies] = useState<Readonly<Record<string, string>>>({});
  const { ask } = useDialogs();
  const [answer, setAnswer] = useState<Exchanged>();

  const token = pasted ?? made.token ?? '';
  const example = operation.forms.find((form) => form.type === type)?.example ?? '';
  const body = bodies[type ?? ''] ?? forAccount(example, account?.username);
  const draft: Draft = { parameters, type, body, token: method === 'token' ? token : undefined };

  const { busy, error, run } = useTask(async () => {
    setAnswer(undefined);
    setAnswer(await exchange(operation, draft));
  });

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
          if (operation.method !== 'DELETE') void run();
          else
            ask({
              title: t.confirmTitle,
              text: account && t.real(account.username),
              action: t.send,
              keep: common.keeps.unsent,
              run,
            });
        }}
      >
        <Stack>
          <Parameters operation={operation} values={parameters} onChange={setParameters} />
          {type !== undefined && (
            <BodyField type={type} value={body} onChange={(text) => setBodies({ ...bodies, [type]: text })} />
          )}
          <Credentials
            method={method}
            onMethod={knowsSessions ? setMethod : undefined}
            token={token}
            onToken={setPasted}
            busy={made.isFetching}
            onCreate={() => setWanted(true)}
          />
          {wanted && <TokenError error={made.error} limit={tokens.tooMany} />}
          <Group gap="sm">
            <Button type="submit" loading={busy} rightSection={<Send size={16} className="mirrored" />}>
              {t.send}
            </Button>
            {type !== undefined && bodies[type] !== undefined && (
              <Action icon={RotateCcw} mirrored variant="subtle" color="gray" onClick={() => setBodies({})}>
                {t.reset}
              </Action>
            )}
          </Group>
          <div aria-live="polite" className="answer">
            {busy && operation.id === 'watchLive' && <Text size="sm">{t.listening}</Text>}
            <ErrorNote error={error} />
            {answer && <ShownAnswer answer={answer} />}
          </div>
          <AsCurl operation={operation} draft={draft} token={token} />
        </Stack>
      </form>
    </Card>
  );
}

function BodyField({
  type,
  value,
  onChange,
}: {
  readonly type: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  const t = useReferenceTexts();
  return (
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
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The request as a command; the token is copied with it, and not shown. */
function AsCurl({
  operation,
  draft,
  token,
}: {
  readonly operation: Operation;
  readonly draft: Draft;
  readonly token: string;
}) {
  const t = useReferenceTexts();
  return (
    <details>
      <summary>
        <Text span size="sm" fw={600}>
          {t.asCurl}
        </Text>
      </summary>
      <CodeBlock
        code={curlOf(operation, draft, token || 'TOKEN')}
        shown={curlOf(operation, draft, token === '' ? 'TOKEN' : '••••••••')}
        label={t.asCurl}
      />
    </details>
  );
}

type Values = Readonly<Record<string, string>>;

/** The parameters of the address. */
function Parameters({
  operation,
  values,
  onChange,
}: {
  readonly operation: Operation;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
}) {
  if (operation.parameters.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {operation.parameters.map(({ name, required = false, schema }) => (
        <TextInput
          key={name}
          label={<bdi dir="ltr">{name}</bdi>}
          dir="ltr"
          size="sm"
          required={required}
          withAsterisk={required}
          placeholder={placeholderOf(schema.examples?.[0] ?? schema.default)}
          value={values[name] ?? ''}
          onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
        />
      ))}
    </SimpleGrid>
  );
}

/** With what a request is signed in: the session of the console, or a token. */
function Credentials({
  method,
  onMethod,
  token,
  onToken,
  busy,
  onCreate,
}: {
  readonly method: 'session' | 'token';
  /** Undefined where sessions are not known. */
  readonly onMethod: ((method: 'session' | 'token') => void) | undefined;
  readonly token: string;
  readonly onToken: (token: string) => void;
  readonly busy: boolean;
  readonly onCreate: () => void;
}) {
  const t = useReferenceTexts();
  const { account } = useSession();
  const mayCreate = useMay('owner');
  return (
    <Group align="flex-end" gap="sm">
      {onMethod && (
        <div>
          <Text size="sm" fw={500} mb={4} id="signed-in-with">
            {t.signedInWith}
          </Text>
          <SegmentedControl
            aria-labelledby="signed-in-with"
            value={method}
            onChange={onMethod}
            data={[
              { value: 'session', label: t.session },
              { value: 'token', label: t.token },
            ]}
          />
        </div>
      )}
      {method === 'token' && (
        <>
          <PasswordField
            label={t.tokenField}
            description={mayCreate ? t.tokenHint : undefined}
            autoComplete="off"
            flex={1}
            miw={200}
            value={token}
            onChange={(event) => onToken(event.currentTarget.value)}
          />
          {mayCreate && account && token === '' && (
            <Button variant="default" loading={busy} onClick={onCreate}>
              {t.makeToken}
            </Button>
          )}
        </>
      )}
    </Group>
  );
}

function ShownAnswer({ answer }: { readonly answer: Exchanged }) {
  const t = useReferenceTexts();
  return (
    <Stack gap="xs">
      <div>
        <StatusBadge tone={answer.ok ? 'good' : 'bad'}>
          {t.took(answer.status, answer.milliseconds)}
        </StatusBadge>
      </div>
      {answer.text === '' ? (
        <Muted>{t.emptyAnswer}</Muted>
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
