import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { DateTimeInput } from '../../components/date-time-input.tsx';
import { writtenText } from '../../components/direction.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import type { Template } from '../templates/template-data.ts';
import type { Needs, Values } from './template-values.ts';

interface Field {
  readonly value: string;
  readonly label: string;
}

/**
 * Inputs for the values of a template. With `fields`, fields of the contact lists fill the values that differ between
 * recipients; without it, the values for one recipient are typed.
 */
export function TemplateFields({
  template,
  needs,
  values,
  onChange,
  fields,
}: {
  readonly template: Template;
  readonly needs: Needs;
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly fields: readonly Field[] | undefined;
}) {
  const { send: t } = useTexts();
  const { header } = needs;
  const field = (name: 'header' | 'coupon' | 'otp') => ({
    value: values[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      onChange({ ...values, [name]: event.currentTarget.value }),
  });
  const setWebsite = (index: number, value: string) =>
    onChange({
      ...values,
      websites: [index === 0 ? value : values.websites[0], index === 1 ? value : values.websites[1]],
    });
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {header !== 'none' && (
        <TextInput
          label={t.headerLink[header]}
          {...(header === 'text' ? writtenText : { dir: 'ltr' as const, type: 'url' })}
          {...(header === 'text' && { description: t.sample(template.header.sample) })}
          maxLength={2_000}
          {...field('header')}
        />
      )}
      {needs.variables.map((number) => {
        const set = (value: string) =>
          onChange({ ...values, variables: { ...values.variables, [number]: value } });
        return fields ? (
          <ChooseField
            key={number}
            label={t.fromField(number)}
            fields={fields}
            value={values.variables[number] ?? ''}
            onChange={set}
          />
        ) : (
          <TextInput
            key={number}
            label={t.variable(number)}
            description={t.sample(template.body_samples[Number(number) - 1] ?? '')}
            {...writtenText}
            maxLength={1_024}
            value={values.variables[number] ?? ''}
            onChange={(event) => set(event.currentTarget.value)}
          />
        );
      })}
      {needs.websites.map((text, index) =>
        fields ? (
          <ChooseField
            key={text}
            label={t.websiteField(text)}
            fields={fields}
            value={values.websites[index as 0 | 1]}
            onChange={(value) => setWebsite(index, value)}
          />
        ) : (
          <TextInput
            key={text}
            label={t.website(text)}
            dir="ltr"
            maxLength={2_000}
            value={values.websites[index as 0 | 1]}
            onChange={(event) => setWebsite(index, event.currentTarget.value)}
          />
        ),
      )}
      {needs.coupon && <TextInput label={t.coupon} dir="ltr" maxLength={15} {...field('coupon')} />}
      {needs.couponEnds && (
        <DateTimeInput
          label={t.couponEnds}
          value={values.couponEnds}
          onChange={(couponEnds) => onChange({ ...values, couponEnds })}
        />
      )}
      {needs.otp && !fields && <TextInput label={t.otp} dir="ltr" maxLength={15} {...field('otp')} />}
    </SimpleGrid>
  );
}

function ChooseField({
  label,
  fields,
  value,
  onChange,
}: {
  readonly label: string;
  readonly fields: readonly Field[];
  readonly value: string;
  readonly onChange: (field: string) => void;
}) {
  const { send: t } = useTexts();
  return (
    <Select
      label={label}
      placeholder={t.chooseField}
      data={fields}
      value={fields.some((field) => field.value === value) ? value : null}
      onChange={(field) => onChange(field ?? '')}
      clearable
    />
  );
}
