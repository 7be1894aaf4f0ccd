import { LayoutGrid } from 'lucide-react';
import { Link } from 'wouter';
import { useTexts } from '../i18n/use-texts.tsx';
import type { Place } from './place.ts';

/** Switches between the modes that the person can use; each begins with its first page. */
export function Modes({ place: { modes, mode: shown } }: { readonly place: Place }) {
  const { shell } = useTexts();
  if (modes.length < 2) return null;
  return (
    <nav aria-label={shell.modes} className="modes">
      {modes.map(({ mode, sections: [first] }) => {
        const Icon = mode === 'console' ? LayoutGrid : first!.icon;
        return (
          <Link
            key={mode}
            className="mode"
            href={first!.entries[0]!.path}
            aria-current={mode === shown ? 'true' : undefined}
          >
            <Icon size={15} aria-hidden />
            <span>{mode === 'console' ? shell.consoleMode : shell.sections[mode]}</span>
          </Link>
        );
      })}
    </nav>
  );
}
