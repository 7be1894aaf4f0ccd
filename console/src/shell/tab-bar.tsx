import { UnstyledButton } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import { useTexts } from '../i18n/use-texts.tsx';
import { SectionLink } from './entry-links.tsx';
import type { Place } from './place.ts';

/** Sections in the bar; the last place is for the button. */
const SHOWN = 4;

/** The first sections of the console at the foot of a phone, and a button that opens the whole navigation. */
export function TabBar({
  place: { modes, section: current },
  opened,
  onToggle,
}: {
  readonly place: Place;
  readonly opened: boolean;
  readonly onToggle: () => void;
}) {
  const { shell } = useTexts();
  const sections = modes.find(({ mode }) => mode === 'console')?.sections ?? [];
  return (
    <nav aria-label={shell.mainPages} className="tab-bar">
      {sections.slice(0, SHOWN).map((section) => (
        <SectionLink key={section.section} section={section} current={section === current && !opened} />
      ))}
      <UnstyledButton aria-expanded={opened} onClick={onToggle}>
        <Ellipsis size={18} aria-hidden />
        <span>{shell.more}</span>
      </UnstyledButton>
    </nav>
  );
}
