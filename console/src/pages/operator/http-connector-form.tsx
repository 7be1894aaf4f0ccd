import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { useDialog } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Fetched } from '../../components/states.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { CONNECTORS, type Connector, prefixesIn } from './connector-data.ts';
import {
  DescriptionFields,
  descriptionOf,
  descriptionValues,
  enteredSecrets,
  isForCalls,
  secretNamesOf,
} from './description-fields.tsx';
import { useOperatorTexts } from './texts.ts';

const READY = '/v1/operator/http-carriers';
type Ready = Answer<typeof READY>['http_carriers'][number];
type Saved = NonNullable<Connector['http']>;

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
      ...descriptionValues(known, ready),
      new_path: false,
      caller_id: connector?.http?.caller_id ?? '',
      prefixes: connector?.http?.prefixes.join(', ') ?? '',
    },
  });
  const secretNames = secretNamesOf(form.getValues(), ready);
  const isTrunk = isForCalls(form.getValues(), ready);
  const fieldOf = (name: string) => [`http.secrets.${name}`, `secrets.${name}`] as const;
  const submission = useSubmission(
    form,
    async (values) => {
      const given = descriptionOf(values);
      if (given === undefined) {
        form.setFieldError('document', t.notJson);
        return false;
      }
      const secrets = enteredSecrets(values, secretNames);
      const http = {
        description: given,
        ...(secrets && { secrets }),
        ...(values.new_path && { path_secret: null }),
        ...(isTrunk && { caller_id: values.caller_id, prefixes: prefixesIn(values.prefixes) }),
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
      <DescriptionFields form={form} ready={ready} isSaved={connector !== undefined} />
      {isTrunk && field.text('caller_id', t.callerId, { required: true, inputMode: 'tel' })}
      {isTrunk && field.text('prefixes', t.prefixes, { hint: t.prefixesHint })}
      {connector && field.toggle('new_path', t.newAddresses, t.newAddressesHint)}
    </Form>
  );
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
