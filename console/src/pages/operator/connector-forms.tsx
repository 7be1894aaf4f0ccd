import { Group, NativeSelect, NumberInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import type { RequestBody } from '../../api/operations.ts';
import { choicesOf } from '../../components/choices.ts';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { PasswordField } from '../../components/password-field.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { CONNECTORS, type Connector, prefixesIn } from './connector-data.ts';
import {
  ConnectorParameters,
  parameterFieldNames,
  parametersOf,
  parameterValuesOf,
} from './connector-parameters.tsx';
import { useOperatorTexts } from './texts.ts';

type Body = RequestBody<typeof CONNECTORS>;
type Protocol = 'smpp' | 'sip';

const MAX_WINDOW = 100_000;
const MAX_CALLS = 10_000;
const MAX_PER_SECOND = 100_000;
const smppNames = [
  ...['host', 'port', 'system_id', 'system_type', 'password', 'window'],
  ...['sender_messages_per_second', 'default_data_coding', 'unicode_data_coding', 'parameters'],
];
/** Field names of the service, mapped to those of the form. */
const names = {
  ...Object.fromEntries(smppNames.map((name) => [`smpp.${name}`, name])),
  ...Object.fromEntries(['uri', 'username', 'caller_id', 'password'].map((name) => [`sip.${name}`, name])),
  ...parameterFieldNames,
};

const valuesOf = (connector: Connector | undefined) => ({
  name: connector?.name ?? '',
  protocol: (connector?.sip ? 'sip' : 'smpp') as Protocol,
  host: connector?.smpp?.host ?? '',
  port: connector?.smpp?.port ?? 2775,
  tls: connector?.smpp?.tls ?? false,
  tls_verify: connector?.smpp?.tls_verify ?? connector?.sip?.tls_verify ?? true,
  system_id: connector?.smpp?.system_id ?? '',
  system_type: connector?.smpp?.system_type ?? '',
  bind_mode: connector?.smpp?.bind_mode ?? ('transceiver' as const),
  window: connector?.smpp?.window ?? 500,
  sender_messages_per_second: connector?.smpp?.sender_messages_per_second ?? 0,
  default_data_coding: connector?.smpp?.default_data_coding ?? 0,
  unicode_data_coding: connector?.smpp?.unicode_data_coding ?? 8,
  parameters: parameterValuesOf(connector),
  uri: connector?.sip?.uri ?? '',
  username: connector?.sip?.username ?? '',
  caller_id: connector?.sip?.caller_id ?? '',
  prefixes: connector?.sip?.prefixes.join(', ') ?? '',
  calls_at_once: connector?.sip?.calls_at_once ?? 10,
  register: connector?.sip?.register ?? false,
  password: '',
});

type Values = ReturnType<typeof valuesOf>;

/** The settings of a form; a password that was left empty stays. */
function settingsOf(values: Values): Pick<Body, 'smpp' | 'sip'> {
  const { protocol, tls_verify, password } = values;
  const secret = password === '' ? {} : { password };
  if (protocol === 'smpp') {
    const { host, port, tls, system_id, system_type, bind_mode, window } = values;
    const { sender_messages_per_second, default_data_coding, unicode_data_coding, parameters } = values;
    return {
      smpp: {
        host: host.trim(),
        port,
        tls,
        tls_verify,
        system_id,
        system_type,
        bind_mode,
        window,
        sender_messages_per_second,
        default_data_coding,
        unicode_data_coding,
        parameters: parametersOf(parameters),
        ...secret,
      },
    };
  }
  const { uri, username, caller_id, prefixes, calls_at_once, register } = values;
  return {
    sip: {
      uri: uri.trim(),
      tls_verify,
      username: username === '' ? null : username,
      caller_id,
      prefixes: prefixesIn(prefixes),
      calls_at_once,
      register,
      ...secret,
    },
  };
}

/** Adds a connector. */
export function AddConnector() {
  const { connectors: t } = useOperatorTexts();
  const done = useDone();
  const form = useForm({ initialValues: valuesOf(undefined) });
  const submission = useSubmission(
    form,
    async (values) => {
      await client.POST(CONNECTORS, { body: { name: values.name.trim(), ...settingsOf(values) } });
      await done(t.added(values.name), CONNECTORS);
    },
    names,
  );
  return (
    <Form submission={submission} action={t.add}>
      {fieldsOf(form).text('name', t.name, { required: true, hint: t.nameHint })}
      <NativeSelect
        label={t.protocol}
        data={choicesOf({ smpp: t.protocols.smpp, sip: t.protocols.sip })}
        {...form.getInputProps('protocol')}
      />
      <Settings form={form} isNew />
    </Form>
  );
}

/** Changes the settings of a connector that was added. */
export function ChangeConnector({ connector }: { readonly connector: Connector }) {
  const operator = useOperatorTexts();
  const { common } = useTexts();
  const { connectors: t } = operator;
  const done = useDone();
  const { name } = connector;
  const form = useForm({ initialValues: valuesOf(connector) });
  const submission = useSubmission(
    form,
    async (values) => {
      await client.PATCH('/v1/operator/connectors/{id}', {
        path: { id: name },
        body: settingsOf(values),
      });
      await done(t.changed(name), CONNECTORS);
    },
    names,
  );
  return (
    <Form submission={submission} action={common.save}>
      <Settings form={form} isNew={false} />
    </Form>
  );
}

function Settings({
  form,
  isNew,
}: {
  readonly form: ReturnType<typeof useForm<Values>>;
  readonly isNew: boolean;
}) {
  const { connectors: t } = useOperatorTexts();
  const field = fieldsOf(form);
  const { protocol, tls } = form.getValues();
  const password = (
    <PasswordField
      label={t.password}
      description={isNew ? t.passwordHint : t.passwordLeft}
      autoComplete="off"
      required={false}
      {...form.getInputProps('password')}
    />
  );
  if (protocol === 'sip')
    return (
      <>
        {field.text('uri', t.uri, { required: true, hint: t.uriHint })}
        {field.text('username', t.username)}
        {password}
        {field.text('caller_id', t.callerId, { required: true, inputMode: 'tel' })}
        {field.text('prefixes', t.prefixes, { hint: t.prefixesHint })}
        <NumberInput
          label={t.callsAtOnce}
          min={1}
          max={MAX_CALLS}
          allowDecimal={false}
          {...form.getInputProps('calls_at_once')}
        />
        {field.toggle('register', t.register)}
        {field.toggle('tls_verify', t.verify, t.verifyHint)}
      </>
    );
  return (
    <>
      {field.text('host', t.host, { required: true })}
      <NumberInput
        label={t.port}
        min={1}
        max={65_535}
        allowDecimal={false}
        hideControls
        thousandSeparator=""
        {...form.getInputProps('port')}
      />
      {field.toggle('tls', t.tls)}
      {tls && field.toggle('tls_verify', t.verify, t.verifyHint)}
      {field.text('system_id', t.systemId, { required: true })}
      {password}
      {field.text('system_type', t.systemType)}
      <NativeSelect label={t.bindMode} data={choicesOf(t.bindModes)} {...form.getInputProps('bind_mode')} />
      <NumberInput
        label={t.window}
        description={t.windowHint}
        min={1}
        max={MAX_WINDOW}
        allowDecimal={false}
        {...form.getInputProps('window')}
      />
      <SubmitSettings form={form} />
    </>
  );
}

/** Settings of each submit_sm. */
function SubmitSettings({ form }: { readonly form: ReturnType<typeof useForm<Values>> }) {
  const { connectors: t } = useOperatorTexts();
  return (
    <>
      <NumberInput
        label={t.senderMessagesPerSecond}
        description={t.senderMessagesPerSecondHint}
        min={0}
        max={MAX_PER_SECOND}
        {...form.getInputProps('sender_messages_per_second')}
      />
      <Group grow>
        {(['default_data_coding', 'unicode_data_coding'] as const).map((name) => (
          <NumberInput
            key={name}
            label={t.dataCodings[name]}
            min={0}
            max={255}
            allowDecimal={false}
            {...form.getInputProps(name)}
          />
        ))}
      </Group>
      <ConnectorParameters
        count={form.getValues().parameters.length}
        input={form.getInputProps}
        add={(parameter) => form.insertListItem('parameters', parameter)}
        remove={(at) => form.removeListItem('parameters', at)}
      />
    </>
  );
}

/** Sets or clears the rate limit of a connector, in messages per second. */
export function ConnectorLimit({ connector }: { readonly connector: Connector }) {
  const operator = useOperatorTexts();
  const { common } = useTexts();
  const { connectors: t } = operator;
  const done = useDone();
  const { name, per_second: perSecond, is_limit_set: isSet } = connector;
  const form = useForm<{ per_second: number | string }>({
    initialValues: { per_second: isSet ? perSecond : '' },
  });
  const submission = useSubmission(form, async ({ per_second: given }) => {
    await client.PATCH('/v1/operator/connectors/{id}', {
      path: { id: name },
      body: { per_second: given === '' ? null : Number(given) },
    });
    await done(t.limitChanged(name), CONNECTORS);
  });
  return (
    <Form submission={submission} action={common.save}>
      <NumberInput
        label={connector.channel === 'voice' ? t.callsPerSecond : t.messagesPerSecond}
        description={t.limitHint}
        min={0}
        max={MAX_PER_SECOND}
        {...form.getInputProps('per_second')}
      />
    </Form>
  );
}
