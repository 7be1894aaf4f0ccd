import { Fieldset, Group, NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Plus } from 'lucide-react';
import type { RequestBody } from '../../api/operations.ts';
import { Action } from '../../components/action.tsx';
import { choicesOf } from '../../components/choices.ts';
import { RemoveButton } from '../../components/remove-button.tsx';
import { Muted } from '../../components/text.tsx';
import type { CONNECTORS, Connector } from './connector-data.ts';
import { useOperatorTexts } from './texts.ts';

type Body = NonNullable<RequestBody<typeof CONNECTORS>['smpp']>;

const MAX_PARAMETERS = 20;
const empty = { tag: '0x1400', form: 'text', value: '' };

/** Fields of a parameter by their names in the service, mapped to those of the form. */
export const parameterFieldNames = Object.fromEntries(
  Array.from({ length: MAX_PARAMETERS }, (_, at) => `[${at}]`).flatMap((at) => [
    ...['tag', 'form', 'value'].map((name) => [`smpp.parameters${at}.${name}`, `parameters${at}.${name}`]),
    [`smpp.parameters${at}.octets`, `parameters${at}.form`],
  ]),
);

/** Parameters as the form has them: a number with its octets is one choice. */
export const parameterValuesOf = (connector: Connector | undefined) =>
  (connector?.smpp?.parameters ?? []).map(({ tag, form, value, octets }) => ({
    tag,
    form: octets === null ? form : `${form}-${octets}`,
    value,
  }));

export const parametersOf = (values: ReturnType<typeof parameterValuesOf>): Body['parameters'] =>
  values.map(({ tag, form, value }) => {
    const [name, octets] = form.split('-') as ['integer', string | undefined];
    return name === 'integer'
      ? { tag: tag.trim(), form: name, value, octets: Number(octets) as 1 | 2 | 4 }
      : { tag: tag.trim(), form: form as 'text', value };
  });

/** Edits the optional parameters of an SMPP connector. */
export function ConnectorParameters({
  count,
  input,
  add,
  remove,
}: {
  readonly count: number;
  /** Props of the input of a field, such as `parameters.0.tag`. */
  readonly input: UseFormReturnType<object>['getInputProps'];
  readonly add: (parameter: typeof empty) => void;
  readonly remove: (at: number) => void;
}) {
  const { connectors: t } = useOperatorTexts();
  return (
    <>
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a field of the form
        <Fieldset key={at} legend={t.parameterOf(at + 1)} p="sm">
          <Group align="flex-start" gap="xs">
            <TextInput label={t.tag} w={110} dir="ltr" required {...input(`parameters.${at}.tag`)} />
            <NativeSelect label={t.form} data={choicesOf(t.forms)} {...input(`parameters.${at}.form`)} />
            <TextInput label={t.value} dir="ltr" required {...input(`parameters.${at}.value`)} />
            <RemoveButton size="lg" mt="xl" label={t.removeParameter(at + 1)} onClick={() => remove(at)} />
          </Group>
        </Fieldset>
      ))}
      {count > 0 && <Muted size="xs">{t.parametersHint}</Muted>}
      {count < MAX_PARAMETERS && (
        <div>
          <Action icon={Plus} size="xs" variant="light" onClick={() => add({ ...empty })}>
            {t.addParameter}
          </Action>
        </div>
      )}
    </>
  );
}
