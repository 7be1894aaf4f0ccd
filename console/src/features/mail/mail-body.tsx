import { Alert, Button, Group, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { Blocks, Braces } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Action } from '../../components/action.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { writtenText } from '../../components/direction.ts';
import { useInsertion } from '../../components/insertion.ts';
import { Loading } from '../../components/states.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { FieldMenu } from './field-menu.tsx';
import type { MailWords } from './mail-words.ts';
import './mail-body.css';

const BlockEditor = lazy(async () => ({
  default: (await import('./blocks/block-editor.tsx')).BlockEditor,
}));

const formats = ['blocks', 'html', 'text'] as const;
type Format = (typeof formats)[number];

interface Props {
  readonly words: MailWords;
  readonly onChange: (changes: Partial<MailWords>) => void;
  /** Names of further fields that the recipients have. */
  readonly columns?: readonly string[];
  readonly error?: string | undefined;
}

/**
 * Editor for the content of an email: blocks that generate the HTML and the text, or both written by hand. Blocks can be
 * converted to HTML, but not back.
 */
export function MailBody({ words, onChange, columns = [], error }: Props) {
  const { mailCampaigns: t, mailEditor } = useTexts();
  const { ask } = useDialogs();
  const { html, text, blocks } = words;
  const hasBlocks = blocks !== null;
  const isWritten = !hasBlocks && (html.trim() !== '' || text.trim() !== '');
  const [chosen, setFormat] = useState<Format>('html');
  // Switches to the block editor when an email or a template of blocks is opened.
  useEffect(() => {
    if (hasBlocks) setFormat('blocks');
  }, [hasBlocks]);
  const format = chosen === 'blocks' && isWritten ? 'html' : chosen;
  function choose(wanted: Format) {
    if (wanted !== 'blocks' || !isWritten) {
      setFormat(wanted);
      return;
    }
    ask({
      title: mailEditor.beginTitle,
      text: mailEditor.beginText,
      action: mailEditor.begin,
      keep: mailEditor.keepHtml,
      run: async () => {
        onChange({ html: '', text: '', blocks: null });
        setFormat('blocks');
      },
    });
  }
  return (
    <>
      <SegmentedControl
        aria-label={t.form}
        value={format}
        onChange={choose}
        data={formats.map((value) => ({ value, label: value === 'blocks' ? mailEditor.blocks : t[value] }))}
      />
      {format === 'blocks' ? (
        <Suspense fallback={<Loading lines={6} />}>
          <BlockEditor blocks={blocks} onChange={onChange} columns={columns} error={error} />
        </Suspense>
      ) : (
        <Source
          key={format}
          {...{ format, words, onChange, columns, error }}
          onUnlock={() => {
            onChange({ blocks: null });
            setFormat(format);
          }}
        />
      )}
    </>
  );
}

/** Editor for the HTML or the plain text; read-only for an email of blocks until it is converted to HTML. */
function Source({
  format,
  words,
  onChange,
  columns,
  error,
  onUnlock,
}: Required<Pick<Props, 'words' | 'onChange' | 'columns'>> &
  Pick<Props, 'error'> & { readonly format: Exclude<Format, 'blocks'>; readonly onUnlock: () => void }) {
  const { mailCampaigns: t, mailEditor } = useTexts();
  const { ask } = useDialogs();
  const { area, insert } = useInsertion(words[format], (text) => onChange({ [format]: text }));
  const isMade = words.blocks !== null;
  return (
    <Stack gap="sm">
      {isMade ? (
        <Alert color="blue" icon={<Blocks />} role="note">
          <Group justify="space-between" gap="xs">
            {mailEditor.made}
            <Button
              size="xs"
              variant="default"
              onClick={() =>
                ask({
                  title: mailEditor.unlockTitle,
                  text: mailEditor.unlockText,
                  action: mailEditor.unlock,
                  keep: mailEditor.keepBlocks,
                  run: async () => onUnlock(),
                })
              }
            >
              {mailEditor.unlock}
            </Button>
          </Group>
        </Alert>
      ) : (
        <Group justify="flex-end">
          <FieldMenu columns={columns} onInsert={insert}>
            <Action icon={Braces} size="xs" variant="default">
              {t.insertField}
            </Action>
          </FieldMenu>
        </Group>
      )}
      <Textarea
        ref={area}
        label={t[format]}
        description={isMade ? undefined : t.htmlHint}
        {...writtenText}
        {...(format === 'html' && { className: 'mail-source' })}
        autosize
        minRows={10}
        maxRows={24}
        readOnly={isMade}
        value={words[format]}
        error={error}
        onChange={(event) => onChange({ [format]: event.currentTarget.value })}
      />
    </Stack>
  );
}
