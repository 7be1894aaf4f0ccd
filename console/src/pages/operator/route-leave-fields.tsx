import { Group, NumberInput, TagsInput, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { hintBelow } from '../../components/form.tsx';
import { Muted } from '../../components/text.tsx';
import type { CarrierRoute } from './connector-data.ts';
import { useRouteTexts } from './route-texts.ts';

/** Values of these fields; '' is an empty input. */
export interface LeaveValues {
  min_delivered_percent: number | string;
  min_used_percent: number | string;
  explore_percent: number | string;
  leave_codes: string[];
  leave_throttled_seconds: number | string;
  leave_silent_seconds: number | string;
}

/* Limits of the service. */
export const MAX_CODES = 50;
export const MAX_ENTRY = 40;
const MAX_EXPLORE = 50;
const MIN_SECONDS = 10;
const MAX_SECONDS = 86_400;

/** Share of messages that explore, unless an operator chooses another one. */
const EXPLORE = 5;

export const leaveValuesOf = (route: CarrierRoute | undefined): LeaveValues => ({
  min_delivered_percent: route?.min_delivered_percent ?? '',
  min_used_percent: route?.min_used_percent ?? '',
  explore_percent: route?.explore_percent ?? EXPLORE,
  leave_codes: route?.leave_codes ?? [],
  leave_throttled_seconds: route?.leave_throttled_seconds ?? '',
  leave_silent_seconds: route?.leave_silent_seconds ?? '',
});

const numberOrNull = (value: number | string) => (value === '' ? null : Number(value));

export const leaveBodyOf = (values: LeaveValues) => ({
  min_delivered_percent: numberOrNull(values.min_delivered_percent),
  min_used_percent: numberOrNull(values.min_used_percent),
  explore_percent: values.explore_percent === '' ? EXPLORE : Number(values.explore_percent),
  leave_codes: values.leave_codes,
  leave_throttled_seconds: numberOrNull(values.leave_throttled_seconds),
  leave_silent_seconds: numberOrNull(values.leave_silent_seconds),
});

/** Which connectors a route prefers by their deliveries and used codes, and when messages leave one for another. */
export function LeaveFields<Values extends LeaveValues>({
  form,
}: {
  readonly form: UseFormReturnType<Values>;
}) {
  const { form: t } = useRouteTexts();
  const { min_delivered_percent: delivered, min_used_percent: used } = form.values;
  const isJudged = delivered !== '' || used !== '';
  const percent = { min: 0, allowNegative: false, decimalScale: 2, suffix: '%', ...hintBelow };
  const seconds = { min: MIN_SECONDS, max: MAX_SECONDS, allowDecimal: false, ...hintBelow };
  return (
    <>
      <div>
        <Title order={3} size="h5">
          {t.others}
        </Title>
        <Muted size="xs">{t.othersHint}</Muted>
      </div>
      <Group grow align="flex-start" gap="sm">
        <NumberInput
          label={t.minDelivered}
          description={t.minDeliveredHint}
          max={100}
          {...percent}
          {...form.getInputProps('min_delivered_percent')}
        />
        <NumberInput
          label={t.minUsed}
          description={t.minUsedHint}
          max={100}
          {...percent}
          {...form.getInputProps('min_used_percent')}
        />
      </Group>
      {isJudged && (
        <NumberInput
          label={t.explore}
          description={t.exploreHint}
          max={MAX_EXPLORE}
          {...percent}
          {...form.getInputProps('explore_percent')}
        />
      )}
      <TagsInput
        label={t.leaveCodes}
        description={t.leaveCodesHint}
        maxTags={MAX_CODES}
        maxLength={MAX_ENTRY}
        dir="ltr"
        splitChars={[',', ';', ' ', '\n']}
        {...hintBelow}
        {...form.getInputProps('leave_codes')}
      />
      <Group grow align="flex-start" gap="sm">
        <NumberInput
          label={t.leaveThrottled}
          description={t.leaveThrottledHint}
          {...seconds}
          {...form.getInputProps('leave_throttled_seconds')}
        />
        <NumberInput
          label={t.leaveSilent}
          description={t.leaveSilentHint}
          {...seconds}
          {...form.getInputProps('leave_silent_seconds')}
        />
      </Group>
    </>
  );
}
