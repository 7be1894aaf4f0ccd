import { Input, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { useChoices } from '../../api/paging.ts';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ChooseLists } from './choose-lists.tsx';
import { FromFile } from './from-file.tsx';
import { type Recipients, readPhones, recipientKinds } from './recipients.ts';

/** Choice of the recipients: numbers, contact lists, or a file that is imported as a list. */
export function ChooseRecipients({
  value,
  onChange,
  error,
}: {
  readonly value: Recipients;
  readonly onChange: (recipients: Recipients) => void;
  readonly error: string | undefined;
}) {
  const { send: t } = useTexts();
  const { phones } = readPhones(value.typed);
  const query = useChoices('/v1/contact-lists', (answer) => answer.contact_lists);
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t.recipientsLabel}
        value={value.kind}
        onChange={(kind) => onChange({ ...value, kind })}
        data={recipientKinds.map((kind) => ({ value: kind, label: t.recipients[kind] }))}
      />
      {value.kind === 'phones' && (
        <Textarea
          label={t.phones}
          description={t.phonesHint}
          dir="ltr"
          autosize
          minRows={2}
          maxRows={10}
          inputMode="tel"
          value={value.typed}
          error={error}
          onChange={(event) => onChange({ ...value, typed: event.currentTarget.value })}
        />
      )}
      {value.kind === 'phones' && phones.length > 1 && (
        <Muted size="xs" aria-live="polite">
          {t.phonesCount(phones.length)}
        </Muted>
      )}
      {value.kind === 'lists' && (
        <ChooseLists
          query={query}
          countOf={({ count }) => count}
          texts={t}
          none={t.noLists}
          value={value.lists}
          onChange={(lists) => onChange({ ...value, lists })}
          error={error}
        />
      )}
      {value.kind === 'file' && (
        <>
          <FromFile onImported={(list) => onChange({ ...value, kind: 'lists', lists: [list] })} />
          {error !== undefined && <Input.Error>{error}</Input.Error>}
        </>
      )}
    </Stack>
  );
}
