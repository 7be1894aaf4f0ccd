import { Group, NumberInput, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Card } from '../../components/card.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type Policy, useChangePolicy, usePolicyTexts } from './policy.ts';

type RestDays = NonNullable<Policy['rest_days']>;
type Place = keyof ReturnType<typeof usePolicyTexts>['rest']['places'];

/** Location for the sunset, with local customs: minutes before sunset, and whether second festival days are observed. */
const places: Readonly<Record<Exclude<Place, 'other'>, RestDays>> = {
  jerusalem: placeAt(31.778, 35.235, 40, false),
  telAviv: placeAt(32.085, 34.782, 20, false),
  haifa: placeAt(32.794, 34.99, 30, false),
  beersheba: placeAt(31.252, 34.791, 20, false),
  newYork: placeAt(40.713, -74.006, 18, true),
  london: placeAt(51.507, -0.128, 18, true),
};

function placeAt(latitude: number, longitude: number, begins_before: number, second_days: boolean): RestDays {
  return { latitude, longitude, begins_before, ends_after: 40, second_days };
}

const placeOf = ({ latitude, longitude }: RestDays): Place =>
  (Object.entries(places).find(
    ([, place]) => place.latitude === latitude && place.longitude === longitude,
  )?.[0] as Place | undefined) ?? 'other';

/** Shabbat and Jewish holidays. */
export function Rest({ policy: { rest_days } }: { readonly policy: Policy }) {
  const { rest: t } = usePolicyTexts();
  const { common } = useTexts();
  const change = useChangePolicy();
  const form = useForm({
    initialValues: {
      keeps: rest_days !== null,
      place: rest_days === null ? ('jerusalem' as Place) : placeOf(rest_days),
      rest_days: rest_days ?? places.jerusalem,
    },
  });
  const { keeps, place } = form.values;
  const submission = useSubmission(form, (values) =>
    change({ rest_days: values.keeps ? values.rest_days : null }),
  );
  const choose = (chosen: Place) => {
    form.setFieldValue('place', chosen);
    if (chosen !== 'other') form.setFieldValue('rest_days', places[chosen]);
  };
  const number = (name: keyof RestDays, label: string, min: number, max: number, decimals = 0) => (
    <NumberInput
      label={label}
      min={min}
      max={max}
      decimalScale={decimals}
      required
      w={{ base: '100%', xs: 200 }}
      {...form.getInputProps(`rest_days.${name}`)}
    />
  );
  return (
    <Card id="rest" title={t.title} lead={t.hint}>
      <Form submission={submission} action={common.save} narrow>
        {fieldsOf(form).toggle('keeps', t.keep)}
        {keeps && (
          <>
            <Select
              label={t.place}
              data={Object.entries(t.places).map(([value, label]) => ({ value, label }))}
              value={place}
              onChange={(value) => choose((value ?? 'other') as Place)}
              allowDeselect={false}
              maw={420}
            />
            {place === 'other' && (
              <Group gap="md" align="flex-start">
                {number('latitude', t.latitude, -65, 65, 3)}
                {number('longitude', t.longitude, -180, 180, 3)}
              </Group>
            )}
            <Group gap="md" align="flex-start">
              {number('begins_before', t.before, 0, 180)}
              {number('ends_after', t.after, 0, 180)}
            </Group>
            {fieldsOf(form).toggle('rest_days.second_days', t.secondDays)}
          </>
        )}
      </Form>
    </Card>
  );
}
