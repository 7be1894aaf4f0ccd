import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronDown } from 'lucide-react';
import { useEffect, useId } from 'react';
import { useLocation } from 'wouter';
import { useTexts } from '../i18n/use-texts.tsx';
import { EntryList } from './entry-list.tsx';
import type { VisibleEntry, VisibleSection } from './visible-pages.ts';

/** Pages of a section in a list next to the page. On narrow screens a button above the page opens it. */
export function SectionList({
  section,
  entry,
}: {
  readonly section: VisibleSection;
  readonly entry: VisibleEntry | undefined;
}) {
  const texts = useTexts();
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  const id = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list closes when a page of it is opened
  useEffect(close, [location]);
  const name = texts.shell.sections[section.section];
  return (
    <nav aria-label={name} className="section-list">
      <UnstyledButton
        className="section-list-button"
        aria-expanded={opened}
        aria-controls={id}
        onClick={toggle}
      >
        <span>
          {name}
          {entry && ` · ${entry.label(texts)}`}
        </span>
        <ChevronDown size={16} aria-hidden />
      </UnstyledButton>
      <div id={id} className="section-list-entries" data-opened={opened || undefined}>
        <EntryList section={section} entry={entry} className="section-list-pages" />
      </div>
    </nav>
  );
}
