import { Group, Select, Textarea, TextInput } from '@mantine/core';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Muted } from '../../components/text.tsx';
import { amountText } from '../../components/values.tsx';
import { isPersonal, needsOf } from '../../features/composing/template-values.ts';
import type { Template } from '../../features/templates/template-data.ts';
import { textsOfPages, useLanguage } from '../../i18n/use-texts.tsx';
import { type FallbackChannel, type FallbackChoice, fallbackBy } from './fallback-choice.ts';
import { fallback as en } from './fallback-texts.en.ts';
import { fallback as he } from './fallback-texts.he.ts';
import { Part } from './part.tsx';
import { TemplateSelect } from './template-select.tsx';

const useFallbackTexts = textsOfPages({ en, he });

type Estimate = Answer<'/v1/sms/estimate', 'POST'>['fallback'];

const CHANNELS: readonly FallbackChannel[] = ['chat', 'voice', 'sms'];
const HOUR = 60;
const MINUTES = [5, 10, 15, 30, HOUR, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];
const MAX_TEMPLATES = 500;
const MAX_TEXT = 1_005;

/** Chooses a second message by another channel, for recipients whose message fails or is not delivered in time. */
export default function Fallback({
  value,
  onChange,
  first,
  needsText,
  estimate,
  error,
}: {
  readonly value: FallbackChoice | null;
  readonly onChange: (value: FallbackChoice | null) => void;
  /** Channel of the send. */
  readonly first: FallbackChannel;
  /** Whether the text of the send has fields of contacts. */
  readonly needsText: boolean;
  readonly estimate: Estimate | undefined;
  readonly error: string | undefined;
}) {
  const t = useFallbackTexts();
  const language = useLanguage();
  const chosen = value?.channel === first ? null : value;
  const change = (changes: Partial<FallbackChoice>) => chosen && onChange({ ...chosen, ...changes });
  return (
    <Part title={t.title}>
      <Group gap="md" align="flex-start">
        <Select
          label={t.second}
          data={[
            { value: 'none', label: t.none },
            ...CHANNELS.filter((one) => one !== first).map((one) => ({ value: one, label: t.by[one] })),
          ]}
          value={chosen?.channel ?? 'none'}
          onChange={(one) =>
            onChange(
              one === null || one === 'none' ? null : fallbackBy(one as FallbackChannel, chosen?.minutes),
            )
          }
          allowDeselect={false}
          error={error}
          w={{ base: '100%', xs: 260 }}
        />
        {chosen && (
          <Select
            label={t.within}
            data={MINUTES.map((one) => ({
              value: String(one),
              label: one < HOUR ? t.minutes(one) : t.hours(one / HOUR),
            }))}
            value={String(chosen.minutes)}
            onChange={(one) => change({ minutes: Number(one ?? chosen.minutes) })}
            allowDeselect={false}
            w={{ base: '100%', xs: 200 }}
          />
        )}
      </Group>
      {chosen?.channel === 'chat' && <ChooseTemplate value={chosen} change={change} />}
      {chosen && chosen.channel !== 'chat' && (
        <Textarea
          label={t.text}
          placeholder={needsText ? t.ownText : t.sameText}
          value={chosen.text}
          onChange={(event) => change({ text: event.currentTarget.value })}
          required={needsText}
          maxLength={MAX_TEXT}
          autosize
          dir="auto"
        />
      )}
      {chosen && (
        <Muted>
          {t.hint}
          {estimate && (
            <> {t.about(estimate.messages.toLocaleString(language), amountText(estimate.cost, language))}</>
          )}
        </Muted>
      )}
    </Part>
  );
}

/** Chooses a template that needs no values, but for the file of its header. */
function ChooseTemplate({
  value,
  change,
}: {
  readonly value: FallbackChoice;
  readonly change: (changes: Partial<FallbackChoice>) => void;
}) {
  const t = useFallbackTexts();
  const templates = useAnswer('/v1/chat/templates', { query: { limit: MAX_TEMPLATES } });
  const usable = (templates.data?.templates ?? []).filter((one) => one.usable && isForAll(one as Template));
  const template = usable.find(({ template_id }) => template_id === value.templateId);
  return (
    <Group gap="md" align="flex-start">
      <TemplateSelect
        label={t.template}
        hint={t.templateHint}
        none={t.noTemplates}
        templates={templates.data && usable}
        value={value.templateId}
        onChange={(id) => {
          const one = usable.find(({ template_id }) => template_id === id);
          const isFile = one !== undefined && needsOf(one as Template).header !== 'none';
          change({
            templateId: id ?? '',
            number: one?.phone ?? '',
            headerLink: isFile ? one.header.sample : '',
          });
        }}
      />
      {template && needsOf(template as Template).header !== 'none' && (
        <TextInput
          label={t.header}
          dir="ltr"
          value={value.headerLink}
          onChange={(event) => change({ headerLink: event.currentTarget.value })}
          w={{ base: '100%', xs: 320 }}
        />
      )}
    </Group>
  );
}

/** Whether a template says the same to everybody. */
function isForAll(template: Template): boolean {
  const needs = needsOf(template);
  return !isPersonal(needs) && !needs.coupon && !needs.couponEnds && !needs.otp && needs.header !== 'text';
}
