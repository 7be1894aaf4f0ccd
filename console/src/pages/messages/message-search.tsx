import { ActionIcon, Group, NativeSelect, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Kinds of search terms. */
export const kinds = ['phone', 'id', 'external', 'shipment', 'campaign'] as const;
type Kind = (typeof kinds)[number];

/** Search of messages, applied when the person presses Enter: half a number matches nothing. */
export function MessageSearch({
  kind,
  value,
  onKind,
  onSearch,
}: {
  readonly kind: Kind;
  readonly value: string;
  readonly onKind: (kind: string) => void;
  readonly onSearch: (term: string) => void;
}) {
  const { messages: t, common } = useTexts();
  const [typed, setTyped] = useState(value);
  const [error, setError] = useState<string>();
  function search(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const term = typed.trim();
    const problem =
      kind === 'phone' && !/^\+?[\d\s().-]{3,30}$/.test(term)
        ? t.badNumber
        : (kind === 'id' || kind === 'shipment') && !/^\d{1,16}$/.test(term)
          ? t.badId
          : undefined;
    const shown = term === '' ? undefined : problem;
    setError(shown);
    if (shown === undefined) onSearch(term);
  }
  return (
    <form onSubmit={search}>
      <Group gap={6} wrap="nowrap" align="flex-start">
        <NativeSelect
          aria-label={t.searchBy}
          data={kinds.map((one) => ({ value: one, label: t.kinds[one] }))}
          value={kind}
          onChange={(event) => onKind(event.currentTarget.value)}
        />
        <TextInput
          type="search"
          aria-label={t.term}
          placeholder={t.term}
          {...(kind !== 'campaign' && { dir: 'ltr' as const })}
          value={typed}
          error={error}
          onChange={(event) => setTyped(event.currentTarget.value)}
          maxLength={kind === 'external' ? 255 : 50}
          rightSection={
            <ActionIcon type="submit" variant="subtle" aria-label={common.search}>
              <Search size={16} />
            </ActionIcon>
          }
          flex={1}
          w={{ xs: 200 }}
        />
      </Group>
    </form>
  );
}
