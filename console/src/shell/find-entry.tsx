import { TextInput, VisuallyHidden } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../api/session-context.ts';
import { writtenText } from '../components/direction.ts';
import { Muted } from '../components/text.tsx';
import { textsOfPages, useTexts } from '../i18n/use-texts.tsx';
import { findEntry as en } from './find-entry-texts.en.ts';
import { findEntry as he } from './find-entry-texts.he.ts';
import { matching } from './search/matching.ts';
import type { VisibleSection } from './visible-pages.ts';

const useFindTexts = textsOfPages({ en, he });

export interface FindEntryProps {
  readonly section: VisibleSection;
  /** Called with the paths of the pages to show; undefined for all. */
  readonly onFound: (paths: readonly string[] | undefined) => void;
}

/**
 * Field that filters the pages of a section by their titles, groups and parts, and by the other words of the search. Enter opens
 * the first page, Escape shows all.
 */
export default function FindEntry({ section, onFound }: FindEntryProps) {
  const { shell } = useTexts();
  const t = useFindTexts();
  const [location, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const rows = useRows(section);
  const found = matching(rows, typed);
  const isSettings = section.section === 'settings';
  const label = isSettings ? t.settings : t.pages;
  const find = (text: string) => {
    setTyped(text);
    onFound(text.trim() === '' ? undefined : matching(rows, text).map(({ path }) => path));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: shows all pages again when one is opened
  useEffect(() => find(''), [location]);
  function onKeyDown(event: React.KeyboardEvent) {
    if (event.key === 'Escape') find('');
    const [first] = found;
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || typed.trim() === '' || !first) return;
    find('');
    navigate(first.path);
  }
  return (
    <>
      <TextInput
        type="search"
        aria-label={label}
        placeholder={label}
        leftSection={<Search size={15} aria-hidden />}
        value={typed}
        {...writtenText}
        onChange={(event) => find(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div role="status">
        {typed.trim() !== '' &&
          (found.length > 0 ? (
            <VisuallyHidden>{shell.command.found(found.length)}</VisuallyHidden>
          ) : (
            <Muted size="xs" mt="xs">
              {isSettings ? t.noSettings : t.noPages}
            </Muted>
          ))}
      </div>
    </>
  );
}

/** The pages of a section, with all words by which they are found. */
function useRows({ entries }: VisibleSection) {
  const texts = useTexts();
  const session = useSession();
  return entries.map(({ path, label, group, synonyms, parts = [] }) => {
    const shown = parts.filter(({ isShown }) => isShown?.(session) ?? true);
    const words = [synonyms, ...shown.flatMap((part) => [part.title, part.synonyms])];
    return {
      path,
      title: label(texts),
      note: group ? texts.shell.groups[group] : '',
      synonyms: words.map((word) => word?.(texts)).join(' '),
    };
  });
}
