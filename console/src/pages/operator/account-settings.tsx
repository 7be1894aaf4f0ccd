import { Autocomplete, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { fieldsOf } from '../../components/form.tsx';
import { useOperatorTexts } from './texts.ts';

/** Settings of an account as form values. */
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
  const { accounts: t } = useOperatorTexts();
  const field = fieldsOf(form);
  return (
    <Stack>
      {field.text('name', t.name, { written: true, required: true, maxLength: 100 })}
      <Autocomplete
        label={t.timeZone}
        placeholder={t.timeZoneDefault}
        data={zones}
        limit={20}
        dir="ltr"
        {...form.getInputProps('time_zone')}
      />
      {field.text('addresses', t.addresses, { hint: t.addressesHint, lines: 2 })}
      {field.toggle('password_sign_in', t.passwordSignIn, t.passwordSignInHint)}
    </Stack>
  );
}

/** Converts form values to the settings of the service. */
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
