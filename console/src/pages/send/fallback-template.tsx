import { Group, TextInput } from '@mantine/core';
import { useAnswer } from '../../api/queries.ts';
import { isPersonal, needsOf } from '../../features/composing/template-values.ts';
import type { Template } from '../../features/templates/template-data.ts';
import type { FallbackChoice } from './fallback-choice.ts';
import { TemplateSelect } from './template-select.tsx';
import { useFallbackTexts } from './use-fallback-texts.ts';

const MAX_TEMPLATES = 500;

/** Chooses a template that needs no values, but for the file of its header. */
export default function FallbackTemplate({
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
          change({
            templateId: id ?? '',
            number: one?.phone ?? '',
            headerLink: one && hasFile(one as Template) ? one.header.sample : '',
          });
        }}
      />
      {template && hasFile(template as Template) && (
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

/** Whether a template that is for all has a file in its header. */
const hasFile = (template: Template): boolean => needsOf(template).header !== 'none';

/** Whether a template says the same to everybody. */
function isForAll(template: Template): boolean {
  const needs = needsOf(template);
  return !isPersonal(needs) && !needs.coupon && !needs.couponEnds && !needs.otp && needs.header !== 'text';
}
