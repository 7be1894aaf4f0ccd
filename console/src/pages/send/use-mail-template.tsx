import { Alert, Stack, UnstyledButton } from '@mantine/core';
import { LayoutTemplate, Save } from 'lucide-react';
import { useState } from 'react';
import { byId, client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { useDialog, useDialogs } from '../../components/dialogs.tsx';
import { useDone } from '../../components/notify.ts';
import { SearchField } from '../../components/search-field.tsx';
import { Empty, ErrorNote, Fetched } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { Named } from '../../components/text.tsx';
import { type MailWords, storedWords, wordsOf } from '../../features/mail/mail-words.ts';
import { TemplateName } from '../../features/mail/template-name.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

const TEMPLATES = '/v1/mail/templates';

/** Fills the email with a template chosen in a dialog. */
export function UseTemplate({
  words,
  onUse,
}: {
  readonly words: MailWords;
  readonly onUse: (words: MailWords) => void;
}) {
  const { mailTemplates: t } = useTexts();
  const { open } = useDialogs();
  const replaces = [words.subject, words.html, words.text].some((text) => text.trim() !== '');
  return (
    <Action
      icon={LayoutTemplate}
      size="xs"
      variant="default"
      onClick={() => open(t.useTitle, <Choice replaces={replaces} onUse={onUse} />)}
    >
      {t.use}
    </Action>
  );
}

function Choice({
  replaces,
  onUse,
}: {
  readonly replaces: boolean;
  readonly onUse: (words: MailWords) => void;
}) {
  const { mailTemplates: t } = useTexts();
  const dialog = useDialog();
  const done = useDone();
  const [search, setSearch] = useState('');
  const query = useAnswer(TEMPLATES, { query: { search } });
  const { error, run } = useTask(async (id: string) => {
    const data = await client.GET('/v1/mail/templates/{id}', byId(id));
    onUse(wordsOf(data));
    dialog?.close();
    await done(t.used(data.name));
  });
  return (
    <Stack>
      {replaces && <Alert color="orange">{t.useReplaces}</Alert>}
      <SearchField label={t.search} maxLength={100} onSearch={setSearch} w="100%" data-autofocus />
      <ErrorNote error={error} />
      <Fetched query={query}>
        {({ templates }) =>
          templates.length === 0 ? (
            <Empty icon={LayoutTemplate} title={search === '' ? t.useNone : t.noneFound} />
          ) : (
            <ul className="template-choice">
              {templates.map(({ id, name, subject }) => (
                <li key={id}>
                  <UnstyledButton onClick={() => void run(id)}>
                    <Named name={<bdi>{name}</bdi>}>
                      <bdi>{subject}</bdi>
                    </Named>
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          )
        }
      </Fetched>
    </Stack>
  );
}

/** Saves the content of the email as a template, under a name entered in a dialog. */
export function SaveAsTemplate({ words }: { readonly words: MailWords }) {
  const { mailTemplates: t } = useTexts();
  const { open } = useDialogs();
  const done = useDone();
  const { html, text, subject } = words;
  const save = async (name: string) => {
    await client.POST(TEMPLATES, { body: { ...storedWords(words), name } });
    await done(t.wasSaved, TEMPLATES);
  };
  return (
    <Action
      icon={Save}
      size="xs"
      variant="default"
      disabled={html.trim() === '' && text.trim() === ''}
      onClick={() => open(t.saveAs, <TemplateName initial={subject} action={t.save} save={save} />)}
    >
      {t.saveAs}
    </Action>
  );
}
