import {
  Button,
  Fieldset,
  Grid,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { Braces, Send } from 'lucide-react';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { byId, client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { writtenText } from '../../components/direction.ts';
import { fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { ErrorNote } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { PhonePreview } from '../../features/handset/phone-preview.tsx';
import {
  bodyOf,
  type Category,
  contentOf,
  type Draft,
  type HeaderKind,
  MAX_BODY,
  MAX_VARIABLES,
  variablesOf,
} from '../../features/templates/template-data.ts';
import { useChatNumbers } from '../../features/templates/use-chat-numbers.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { ButtonsEditor } from './buttons-editor.tsx';
import { languageName } from './language-name.ts';
import './templates.css';

const categories: readonly Category[] = ['utility', 'marketing', 'authentication'];
const headerKinds: readonly HeaderKind[] = ['none', 'text', 'image', 'video', 'document'];

type Form = UseFormReturnType<Draft>;

/** Template editor next to a phone preview. `editing` is the id of an existing template. */
export function Editor({ initial, editing }: { readonly initial: Draft; readonly editing?: string }) {
  const { templates: t } = useTexts();
  const done = useDone();
  const [, navigate] = useLocation();
  const form = useForm<Draft>({
    initialValues: initial,
    validate: {
      name: (name) => (/^[a-z0-9_]+$/.test(name) ? null : t.nameProblem),
      body: (body, { category }) => (category !== 'authentication' && body.trim() === '' ? t.missing : null),
      body_samples: (samples, { body, category }) =>
        category !== 'authentication' &&
        Array.from({ length: variablesOf(body) }, (_, index) => samples[index] ?? '').some(
          (sample) => sample.trim() === '',
        )
          ? t.sampleMissing
          : null,
    },
  });
  const { onSubmit, busy, error } = useSubmission(form, async (draft) => {
    const body = bodyOf(draft);
    const data =
      editing === undefined
        ? await client.POST('/v1/chat/templates', { body })
        : await client.PUT('/v1/chat/templates/{id}', { ...byId(editing), body });
    await done(t.submitted, '/v1/chat/templates', '/v1/chat/templates/{id}');
    navigate(`/templates/${data.template_id}`);
  });
  const draft = form.values;
  const isCode = draft.category === 'authentication';
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <form onSubmit={onSubmit} noValidate>
          <Stack gap="lg">
            <Basics form={form} fixed={editing !== undefined} />
            {isCode ? (
              <CodeParts form={form} />
            ) : (
              <>
                <Header form={form} />
                <Body form={form} />
                {draft.category === 'marketing' && <Offer form={form} />}
                <ButtonsEditor form={form} />
              </>
            )}
            <ErrorNote error={error} />
            <div>
              <Button
                type="submit"
                size="md"
                loading={busy}
                rightSection={<Send size={17} className="mirrored" aria-hidden />}
              >
                {t.submit}
              </Button>
            </div>
          </Stack>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <div className="template-phone">
          <PhonePreview channel="chat" content={contentOf(draft, t)} sender={draft.phone} />
        </div>
      </Grid.Col>
    </Grid>
  );
}

function Basics({ form, fixed }: { readonly form: Form; readonly fixed: boolean }) {
  const { templates: t } = useTexts();
  const numbers = useChatNumbers();
  const language = useLanguage();
  const languages = useAnswer('/v1/chat/languages', undefined, { staleTime: 3_600_000 });
  const { category } = form.values;
  const field = fieldsOf(form);
  return (
    <Card title={t.basics}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {field.text('name', t.name, { hint: t.nameHint, required: true, maxLength: 512, disabled: fixed })}
        <Select
          label={t.language}
          description={<bdi dir="ltr">{form.values.language}</bdi>}
          searchable
          allowDeselect={false}
          disabled={fixed}
          data={(
            languages.data?.languages ?? [{ code: form.values.language, name: form.values.language }]
          ).map(({ code, name }) => ({ value: code, label: languageName(code, language, name) }))}
          {...form.getInputProps('language')}
        />
      </SimpleGrid>
      {numbers.list.length > 1 && (
        <Select
          label={t.phone}
          allowDeselect={false}
          disabled={fixed}
          data={numbers.list.map(({ phone, name }) => ({ value: phone, label: `${name} +${phone}` }))}
          {...form.getInputProps('phone')}
        />
      )}
      <div>
        <Text size="sm" fw={500} mb={4} id="template-category">
          {t.category}
        </Text>
        <SegmentedControl
          fullWidth
          aria-labelledby="template-category"
          data={categories.map((value) => ({ value, label: t.categories[value] }))}
          disabled={fixed}
          value={category}
          onChange={(value) => form.setFieldValue('category', value)}
        />
        <Muted size="xs" mt={4}>
          {t.categoryHints[category]}
        </Muted>
      </div>
    </Card>
  );
}

function Header({ form }: { readonly form: Form }) {
  const { templates: t } = useTexts();
  const { kind, text } = form.values.header;
  const field = fieldsOf(form);
  return (
    <Card title={t.header}>
      <SegmentedControl
        aria-label={t.header}
        fullWidth
        data={headerKinds.map((value) => ({ value, label: t.headerKinds[value] }))}
        value={kind}
        onChange={(value) => form.setFieldValue('header', { kind: value, text, sample: '' })}
      />
      {kind === 'text' && (
        <>
          {field.text('header.text', t.headerText, { written: true, maxLength: 60 })}
          {variablesOf(text) > 0 && field.text('header.sample', t.headerSample, { written: true })}
        </>
      )}
      {kind !== 'none' &&
        kind !== 'text' &&
        field.text('header.sample', t.mediaSample, {
          hint: t.mediaHints[kind],
          type: 'url',
          placeholder: 'https://',
        })}
    </Card>
  );
}

function Body({ form }: { readonly form: Form }) {
  const { templates: t } = useTexts();
  const area = useRef<HTMLTextAreaElement>(null);
  const { body, category, hasOffer } = form.values;
  const count = variablesOf(body);
  function insertVariable() {
    const at = area.current?.selectionStart ?? body.length;
    const variable = `{{${count + 1}}}`;
    form.setFieldValue('body', body.slice(0, at) + variable + body.slice(at));
    area.current?.focus();
  }
  const field = fieldsOf(form);
  return (
    <Card title={t.body} lead={t.bodyHint}>
      <Textarea
        ref={area}
        aria-label={t.body}
        {...writtenText}
        autosize
        minRows={4}
        maxRows={14}
        maxLength={MAX_BODY}
        {...form.getInputProps('body')}
      />
      <Group justify="space-between">
        <Action
          icon={Braces}
          variant="default"
          size="xs"
          disabled={count >= MAX_VARIABLES}
          onClick={insertVariable}
        >
          {t.addVariable}
        </Action>
        <Muted size="xs">
          <bdi>{t.characters(body.length, MAX_BODY)}</bdi>
        </Muted>
      </Group>
      {count > 0 && (
        <Fieldset legend={t.samples}>
          <Muted mb="xs">{t.samplesHint}</Muted>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
            {Array.from({ length: Math.min(count, MAX_VARIABLES) }, (_, index) => (
              <TextInput
                // biome-ignore lint/suspicious/noArrayIndexKey: variables are their numbers
                key={index}
                label={<bdi>{t.sampleOf(index + 1)}</bdi>}
                {...writtenText}
                value={form.values.body_samples[index] ?? ''}
                error={form.errors[`body_samples.${index}`]}
                onChange={(event) =>
                  form.setFieldValue(
                    'body_samples',
                    Array.from({ length: count }, (_each, place) =>
                      place === index ? event.currentTarget.value : (form.values.body_samples[place] ?? ''),
                    ),
                  )
                }
              />
            ))}
          </SimpleGrid>
          {form.errors.body_samples && (
            <Text size="sm" c="red" mt="xs" role="alert">
              {form.errors.body_samples}
            </Text>
          )}
        </Fieldset>
      )}
      {!(category === 'marketing' && hasOffer) &&
        field.text('footer', t.footer, { written: true, hint: t.footerHint, maxLength: 60 })}
    </Card>
  );
}

function Offer({ form }: { readonly form: Form }) {
  const { templates: t } = useTexts();
  const field = fieldsOf(form);
  return (
    <Card
      title={t.offer}
      lead={t.offerHint}
      actions={<Switch aria-label={t.offer} {...form.getInputProps('hasOffer', { type: 'checkbox' })} />}
    >
      {form.values.hasOffer && (
        <>
          {field.text('offer.text', t.offerText, { written: true, maxLength: 16 })}
          {field.checkbox('offer.expires', t.offerExpires)}
        </>
      )}
    </Card>
  );
}

function CodeParts({ form }: { readonly form: Form }) {
  const { templates: t } = useTexts();
  const field = fieldsOf(form);
  return (
    <Card title={t.body} lead={t.categoryHints.authentication}>
      {field.checkbox('authentication.advice', t.advice)}
      <NumberInput
        label={t.minutes}
        min={1}
        max={90}
        allowDecimal={false}
        w={{ base: '100%', xs: 280 }}
        {...form.getInputProps('authentication.minutes')}
      />
      <TextInput
        label={t.buttonText}
        {...writtenText}
        maxLength={25}
        required
        value={form.values.buttons[0]?.text ?? ''}
        error={form.errors['buttons.0.text']}
        placeholder={t.codeText}
        onChange={(event) =>
          form.setFieldValue('buttons', [
            { kind: 'otp', text: event.currentTarget.value, url: '', number: '', sample: '' },
          ])
        }
      />
    </Card>
  );
}
