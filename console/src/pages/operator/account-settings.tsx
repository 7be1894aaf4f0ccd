import { Autocomplete, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { writtenText } from '../../components/direction.ts';
import { hintBelow } from '../../components/form.tsx';
import { useTexts } from '../../i18n/texts.tsx';

/** What is set of an account, as in a form. */
interface AccountSettings extends Record<string, unknown> {
  readonly name: string;
  /** '' is the one of the service. */
  readonly time_zone: string;
  /** One a line. */
  readonly addresses: string;
  readonly password_sign_in: boolean;
}

const zones = Intl.supportedValuesOf('timeZone');

/** The fields of an account that can be changed later. */
export function AccountFields<Values extends AccountSettings>({
  form,
}: {
  readonly form: UseFormReturnType<Values>;
}) {
  const { accounts: t } = useTexts().operator;
  return (
    <Stack>
      <TextInput label={t.name} required maxLength={100} {...writtenText} {...form.getInputProps('name')} />
      <Autocomplete
        label={t.timeZone}
        placeholder={t.timeZoneDefault}
        data={zones}
        limit={20}
        dir="ltr"
        {...form.getInputProps('time_zone')}
      />
      <Textarea
        label={t.addresses}
        description={t.addressesHint}
        {...hintBelow}
        autosize
        minRows={2}
        dir="ltr"
        {...form.getInputProps('addresses')}
      />
      <Switch
        label={t.passwordSignIn}
        description={t.passwordSignInHint}
        {...form.getInputProps('password_sign_in', { type: 'checkbox' })}
      />
    </Stack>
  );
}

/** The settings of a form as the service takes them. */
export function settingsOf({ name, time_zone, addresses, password_sign_in }: AccountSettings) {
  return {
    name,
    time_zone: time_zone.trim() === '' ? null : time_zone.trim(),
    addresses: addresses.split(/[\s,]+/).filter(Boolean),
    password_sign_in,
  };
}

/** Errors name an entry of a list; the form has them in one field. */
export const fieldNames = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [`addresses.${index}`, 'addresses']),
);
