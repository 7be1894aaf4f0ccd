import { NativeSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { choicesOf } from '../../components/choices.ts';
import { fieldsOf } from '../../components/form.tsx';
import { PasswordField } from '../../components/password-field.tsx';
import { useOperatorTexts } from './texts.ts';

/** Choice of a description of one's own. */
const OWN = 'own';
const LINES = 8;
const MAX_LINES = 16;

/** A ready description. */
interface Ready {
  readonly name: string;
  readonly title: string;
  readonly secret_names: readonly string[];
  readonly channel?: string;
}

type Description = string | Record<string, unknown>;

/** Form values of a description of a provider, and of its secrets. */
export interface DescriptionValues extends Record<string, unknown> {
  description: string;
  document: string;
  secrets: Record<string, string>;
}

/** Returns the form values of a saved description; of the first ready one without it. */
export const descriptionValues = (
  known: Description | undefined,
  ready: readonly Ready[],
): DescriptionValues => ({
  description: typeof known === 'string' ? known : known ? OWN : (ready[0]?.name ?? OWN),
  document: typeof known === 'object' ? JSON.stringify(known, null, 2) : '',
  secrets: {},
});

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

/** Whether the chosen description is of calls, also while it is incomplete. */
export function isForCalls(
  { description, document }: Pick<DescriptionValues, 'description' | 'document'>,
  ready: readonly Ready[],
): boolean {
  if (description !== OWN) return ready.find(({ name }) => name === description)?.channel === 'voice';
  try {
    return (JSON.parse(document) as { channel?: unknown }).channel === 'voice';
  } catch {
    return false;
  }
}

/** Returns the names of the secrets that the chosen description needs. */
export const secretNamesOf = (
  { description, document }: Pick<DescriptionValues, 'description' | 'document'>,
  ready: readonly Ready[],
): readonly string[] =>
  description === OWN
    ? secretsIn(document)
    : (ready.find(({ name }) => name === description)?.secret_names ?? []);

/** Returns the chosen description; undefined for a text that is no JSON object. */
export function descriptionOf(values: DescriptionValues): Description | undefined {
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

/** Returns the secrets that were entered; undefined without any. */
export function enteredSecrets(
  { secrets }: DescriptionValues,
  names: readonly string[],
): Record<string, string> | undefined {
  const filled = names.flatMap((name) => (secrets[name] ? [[name, secrets[name]] as const] : []));
  return filled.length > 0 ? Object.fromEntries(filled) : undefined;
}

/** The choice of a description, its document, and its secrets. */
export function DescriptionFields<Values extends DescriptionValues>({
  form,
  ready,
  isSaved,
}: {
  readonly form: UseFormReturnType<Values>;
  readonly ready: readonly Ready[];
  /** Whether secrets may stay as they are. */
  readonly isSaved: boolean;
}) {
  const { connectors: t } = useOperatorTexts();
  const values = form.getValues();
  return (
    <>
      <NativeSelect
        label={t.description}
        data={choicesOf({
          ...Object.fromEntries(ready.map(({ name, title }) => [name, title])),
          [OWN]: t.ownDescription,
        })}
        {...form.getInputProps('description')}
      />
      {values.description === OWN &&
        fieldsOf(form).text('document', t.document, {
          ...{ required: true, hint: t.documentHint, lines: LINES, maxRows: MAX_LINES },
        })}
      {secretNamesOf(values, ready).map((name) => (
        <PasswordField
          key={name}
          label={t.secretOf(name)}
          description={isSaved ? t.passwordLeft : t.passwordHint}
          autoComplete="off"
          required={!isSaved}
          {...form.getInputProps(`secrets.${name}`)}
          value={values.secrets[name] ?? ''}
        />
      ))}
    </>
  );
}
