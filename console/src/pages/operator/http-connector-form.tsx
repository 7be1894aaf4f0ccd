import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { choicesOf } from '../../components/choices.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { useDialog } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { PasswordField } from '../../components/password-field.tsx';
import { Fetched } from '../../components/states.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { CONNECTORS, type Connector, prefixesIn } from './connector-data.ts';
import { useOperatorTexts } from './texts.ts';

const READY = '/v1/operator/http-carriers';
/** Choice of a description of one's own. */
const OWN = 'own';
const LINES = 8;
const MAX_LINES = 16;

type Ready = Answer<typeof READY>['http_carriers'][number];
type Description = string | Record<string, unknown>;
type Saved = NonNullable<Connector['http']>;

/** Members of signatures and of `jwt` that name secrets. */
const SIGNATURE_SECRETS = [
  'secret',
  'publicKey',
  'user',
  'password',
  'accessKey',
  'secretKey',
  'sessionToken',
];

type Signing = Record<string, unknown>;
interface Sending {
  readonly signature?: Signing;
  readonly auth?: { readonly jwt?: Signing };
}

/** Returns the names of the secrets in a description, also while it is incomplete. */
function secretsIn(document: string): string[] {
  const used = [...document.matchAll(/\{secret\.([a-zA-Z][a-zA-Z0-9]*)\}/g)].map(([, name]) => name!);
  try {
    const { signature, send } = JSON.parse(document) as { signature?: Signing; send?: Sending };
    const signing = [signature, send?.signature, send?.auth?.jwt].flatMap((part) =>
      SIGNATURE_SECRETS.map((member) => part?.[member]).filter((one) => typeof one === 'string'),
    );
    return [...new Set([...used, ...signing])];
  } catch {
    return [...new Set(used)];
  }
}

/** Whether a description is of calls, also while it is incomplete. */
function isOfCalls(document: string): boolean {
  try {
    return (JSON.parse(document) as { channel?: unknown }).channel === 'voice';
  } catch {
    return false;
  }
}

/** Returns the secrets of the chosen description, and whether it is of calls. */
function kindOf(ready: readonly Ready[], description: string, document: string) {
  if (description === OWN) return { secretNames: secretsIn(document), isForCalls: isOfCalls(document) };
  const chosen = ready.find(({ name }) => name === description);
  return { secretNames: chosen?.secret_names ?? [], isForCalls: chosen?.channel === 'voice' };
}

/** Adds an HTTP connector, or changes one that was added. */
export function HttpConnectorForm({ connector }: { readonly connector?: Connector }) {
  const query = useAnswer(READY);
  return (
    <Fetched query={query}>
      {({ http_carriers: ready }) => <Fields ready={ready} connector={connector} />}
    </Fetched>
  );
}

function Fields({
  ready,
  connector,
}: {
  readonly ready: readonly Ready[];
  readonly connector: Connector | undefined;
}) {
  const { connectors: t } = useOperatorTexts();
  const { common } = useTexts();
  const done = useDone();
  const dialog = useDialog();
  const known = connector?.http?.description;
  const form = useForm({
    initialValues: {
      name: connector?.name ?? '',
      description: typeof known === 'string' ? known : known ? OWN : (ready[0]?.name ?? OWN),
      document: typeof known === 'object' ? JSON.stringify(known, null, 2) : '',
      secrets: {} as Record<string, string>,
      new_path: false,
      caller_id: connector?.http?.caller_id ?? '',
      prefixes: connector?.http?.prefixes.join(', ') ?? '',
    },
  });
  const { description, document } = form.getValues();
  const { secretNames, isForCalls } = kindOf(ready, description, document);
  const fieldOf = (name: string) => [`http.secrets.${name}`, `secrets.${name}`] as const;
  const submission = useSubmission(
    form,
    async (values) => {
      const given = descriptionOf(values);
      if (given === undefined) {
        form.setFieldError('document', t.notJson);
        return false;
      }
      const filled = secretNames.flatMap((one) => {
        const value = values.secrets[one];
        return value ? [[one, value] as const] : [];
      });
      const http = {
        description: given,
        ...(filled.length > 0 && { secrets: Object.fromEntries(filled) }),
        ...(values.new_path && { path_secret: null }),
        ...(isForCalls && { caller_id: values.caller_id, prefixes: prefixesIn(values.prefixes) }),
      };
      const name = values.name.trim();
      try {
        const { http: saved } = connector
          ? await client.PATCH('/v1/operator/connectors/{id}', { path: { id: name }, body: { http } })
          : await client.POST(CONNECTORS, { body: { name, http } });
        await done(connector ? t.changed(name) : t.added(name), CONNECTORS);
        if (!saved?.reports_url || !dialog) return true;
        return dialog.show(t.addressesOf(name), <ProviderAddresses saved={saved} />, { sticky: true });
      } catch (problem) {
        if (!(problem instanceof CarillonError) || !problem.field?.startsWith('http.description'))
          throw problem;
        form.setFieldError(given === values.description ? 'description' : 'document', problem.message);
        return false;
      }
    },
    Object.fromEntries([
      ...secretNames.map(fieldOf),
      ['http.secrets', `secrets.${secretNames[0]}`],
      ['http.path_secret', 'new_path'],
      ['http.caller_id', 'caller_id'],
      ['http.prefixes', 'prefixes'],
    ]),
  );
  const field = fieldsOf(form);
  return (
    <Form submission={submission} action={connector ? common.save : t.addHttp}>
      {!connector && field.text('name', t.name, { required: true, hint: t.nameHint })}
      <NativeSelect
        label={t.description}
        data={choicesOf({
          ...Object.fromEntries(ready.map(({ name, title }) => [name, title])),
          [OWN]: t.ownDescription,
        })}
        {...form.getInputProps('description')}
      />
      {description === OWN &&
        field.text('document', t.document, {
          ...{ required: true, hint: t.documentHint, lines: LINES, maxRows: MAX_LINES },
        })}
      {isForCalls && field.text('caller_id', t.callerId, { required: true, inputMode: 'tel' })}
      {isForCalls && field.text('prefixes', t.prefixes, { hint: t.prefixesHint })}
      {secretNames.map((name) => (
        <PasswordField
          key={name}
          label={t.secretOf(name)}
          description={connector ? t.passwordLeft : t.passwordHint}
          autoComplete="off"
          required={!connector}
          {...form.getInputProps(`secrets.${name}`)}
          value={form.getValues().secrets[name] ?? ''}
        />
      ))}
      {connector && field.toggle('new_path', t.newAddresses, t.newAddressesHint)}
    </Form>
  );
}

/** Returns the chosen description; undefined for a text that is no JSON object. */
function descriptionOf(values: { description: string; document: string }): Description | undefined {
  if (values.description !== OWN) return values.description;
  try {
    const parsed: unknown = JSON.parse(values.document);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function ProviderAddresses({ saved }: { readonly saved: Saved }) {
  const { connectors: t } = useOperatorTexts();
  const { common } = useTexts();
  const dialog = useDialog();
  return (
    <Stack>
      <Text size="sm">{t.addressesText}</Text>
      <Text size="sm">{t.reportsAddress}</Text>
      <CodeBlock code={saved.reports_url ?? ''} label={t.reportsAddress} />
      {saved.incoming_url !== null && (
        <>
          <Text size="sm">{t.incomingAddress}</Text>
          <CodeBlock code={saved.incoming_url} label={t.incomingAddress} />
        </>
      )}
      <Group justify="flex-end">
        <Button onClick={dialog?.close}>{common.close}</Button>
      </Group>
    </Stack>
  );
}
