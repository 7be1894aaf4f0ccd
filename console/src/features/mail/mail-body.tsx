import { Group, Menu, SegmentedControl, Textarea } from '@mantine/core';
import { Braces } from 'lucide-react';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import { writtenText } from '../../components/direction.ts';
import { useInsertion } from '../../components/insertion.ts';
import { useTexts } from '../../i18n/texts.tsx';
import type { MailWords } from './mail-words.ts';
import './mail-body.css';

const standardFields = ['FirstName', 'LastName', 'EmailAddress', 'Cellphone', 'unsubscribe'] as const;

type Format = 'html' | 'text';

/**
 * What a mail says, as HTML and as plain text, into which fields can be put.
 *
 * @param columns names of further fields that its recipients have
 */
export function MailBody({
  words,
  onChange,
  columns = [],
  error,
}: {
  readonly words: MailWords;
  readonly onChange: (changes: Partial<MailWords>) => void;
  readonly columns?: readonly string[];
  readonly error?: string | undefined;
}) {
  const { mailCampaigns: t } = useTexts();
  const [format, setFormat] = useState<Format>('html');
  // What is written by hand is no longer what the blocks say.
  const { area, insert } = useInsertion(words[format], (text) => onChange({ [format]: text, blocks: null }));
  return (
    <>
      <Group justify="space-between">
        <SegmentedControl
          aria-label={t.form}
          value={format}
          onChange={setFormat}
          data={(['html', 'text'] as const).map((value) => ({ value, label: t[value] }))}
        />
        <Menu position="bottom-end">
          <Menu.Target>
            <Action icon={Braces} size="xs" variant="default">
              {t.insertField}
            </Action>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{t.insertFieldHint}</Menu.Label>
            {standardFields.map((field) => (
              <Menu.Item key={field} onClick={() => insert(`{{${field}}}`)}>
                {t.fieldNames[field]}
              </Menu.Item>
            ))}
            {columns.map((column) => (
              <Menu.Item key={`list ${column}`} onClick={() => insert(`{{${column}}}`)}>
                <bdi>{column}</bdi>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Textarea
        ref={area}
        label={t[format]}
        description={t.htmlHint}
        {...writtenText}
        {...(format === 'html' && { className: 'mail-source' })}
        autosize
        minRows={10}
        maxRows={24}
        value={words[format]}
        error={error}
        onChange={(event) => onChange({ [format]: event.currentTarget.value, blocks: null })}
      />
    </>
  );
}
