import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Save, Users } from 'lucide-react';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { byId, client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import type { Answer } from '../../api/operations.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { writtenText } from '../../components/direction.ts';
import { hintBelow, useSubmission } from '../../components/form.tsx';
import { useLeaving } from '../../components/leaving.ts';
import { MailCard } from '../../components/mail-card.tsx';
import { useDone } from '../../components/notify.ts';
import { ErrorNote, errorText } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { lacksButtonText } from '../../features/mail/blocks/button-text.ts';
import { MailBody } from '../../features/mail/mail-body.tsx';
import { useMailViews } from '../../features/mail/mail-views.tsx';
import { noWords, storedWords, wordsOf } from '../../features/mail/mail-words.ts';
import { MAX_TEMPLATE_NAME } from '../../features/mail/template-name.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import './mail-templates.css';

const TEMPLATES = '/v1/mail/templates';
const TEMPLATE = '/v1/mail/templates/{id}';
const PREVIEW_HEIGHT = 480;

type Template = Answer<typeof TEMPLATE>;

/** Editor of a mail template with a preview. `reload` opens the current version of an existing template. */
export function Editor({
  template,
  reload,
}: {
  readonly template?: Template;
  readonly reload?: () => Promise<void>;
}) {
  const { mailTemplates: t, mailEditor } = useTexts();
  const [, navigate] = useLocation();
  const done = useDone();
  const version = useRef(template?.version ?? 0);
  const form = useForm({
    initialValues: { name: template?.name ?? '', ...(template ? wordsOf(template) : noWords) },
    validate: {
      html: (html, { text, blocks }) => {
        if (lacksButtonText(blocks)) return mailEditor.emptyButton;
        return html.trim() === '' && text.trim() === '' ? t.noContent : null;
      },
    },
  });
  const saved = useRef(JSON.stringify(form.values));
  async function save(asNew: boolean) {
    const body = { ...storedWords(form.values), name: form.values.name.trim() };
    const isNew = asNew || !template;
    const data = isNew
      ? await client.POST(TEMPLATES, { body })
      : await client.PUT(TEMPLATE, { ...byId(template.id), body: { ...body, version: version.current } });
    version.current = data.version;
    saved.current = JSON.stringify(form.values);
    await done(t.wasSaved, TEMPLATES);
    if (isNew) navigate(`/mail-templates/${data.id}`);
  }
  const { onSubmit, busy, error } = useSubmission(form, () => save(false));
  useUnsaved(() => JSON.stringify(form.values) !== saved.current);
  const views = useMailViews();
  const { html, text } = form.values;
  const written = { html: html.trim() === '' ? null : html, text: text.trim() === '' ? null : text };
  const isEmpty = written.html === null && written.text === null;
  return (
    <form className="mail-template" onSubmit={onSubmit} noValidate>
      <Stack gap="lg">
        <Card title={t.title}>
          <TextInput
            label={t.name}
            description={t.nameHint}
            {...hintBelow}
            {...writtenText}
            required
            maxLength={MAX_TEMPLATE_NAME}
            {...form.getInputProps('name')}
          />
          <TextInput label={t.subject} {...writtenText} maxLength={250} {...form.getInputProps('subject')} />
          <MailBody
            words={form.values}
            onChange={(changes) => {
              form.setValues(changes);
              form.clearFieldError('html');
              form.clearFieldError('text');
            }}
            error={[form.errors.html, form.errors.text].find((one) => typeof one === 'string')}
          />
        </Card>
        <SaveError error={error} reload={reload} saveAsNew={() => save(true)} />
        <div>
          <Action icon={Save} type="submit" size="md" loading={busy}>
            {t.save}
          </Action>
        </div>
      </Stack>
      <MailCard
        title={t.preview}
        lead={t.previewHint}
        {...written}
        height={PREVIEW_HEIGHT}
        views={isEmpty ? undefined : views(written)}
      >
        {isEmpty && <Muted>{t.nothingWritten}</Muted>}
      </MailCard>
    </form>
  );
}

/** Error of saving; if another person saved the template in the meantime, with the possible actions. */
function SaveError({
  error,
  reload,
  saveAsNew,
}: {
  readonly error: unknown;
  readonly reload: (() => Promise<void>) | undefined;
  readonly saveAsNew: () => Promise<void>;
}) {
  const texts = useTexts();
  const { mailTemplates: t } = texts;
  if (!(error instanceof CarillonError && error.reason === 'changed-meanwhile'))
    return <ErrorNote error={error} />;
  return (
    <Alert color="orange" icon={<Users />} title={t.changed} role="alert">
      {errorText(error, texts)}
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" onClick={() => void reload?.()}>
          {t.openTheirs}
        </Button>
        <Button size="xs" variant="default" onClick={() => void saveAsNew()}>
          {t.saveAsNew}
        </Button>
      </Group>
    </Alert>
  );
}

/** Asks before the page is left with changes that are not saved. */
function useUnsaved(isUnsaved: () => boolean): void {
  const { mailTemplates: t } = useTexts();
  const { ask } = useDialogs();
  useLeaving(
    isUnsaved,
    () =>
      new Promise((resolve) =>
        ask({
          title: t.leaveTitle,
          text: t.leaveText,
          action: t.leave,
          keep: t.stay,
          run: async () => resolve(true),
          onClose: () => resolve(false),
        }),
      ),
  );
}
