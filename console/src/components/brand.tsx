import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/use-texts.tsx';

/** State of the bell: whether pages are behind, and whether it swings once. */
interface BellState {
  readonly behind?: boolean;
  readonly ringing?: boolean;
  readonly onRung?: () => void;
}

/** The bell and the name. `iconOnly`: without the name on a phone. */
export function Brand({
  iconOnly = false,
  hint,
  children,
  ...state
}: BellState & {
  readonly iconOnly?: boolean;
  /** Tooltip. */
  readonly hint?: string;
  readonly children?: ReactNode;
}) {
  const { shell } = useTexts();
  return (
    <Group gap={8} wrap="nowrap" title={hint}>
      <Bell {...state} />
      <Text fw={600} size="md" className="brand" {...(iconOnly && { visibleFrom: 'md' })}>
        {shell.name}
      </Text>
      {children}
    </Group>
  );
}

/** The bell, in the colour of the text. Its clapper is green, or amber when pages are behind. */
function Bell({ behind, ringing, onRung }: BellState) {
  return (
    <svg
      viewBox="0 0 22 22"
      width={22}
      height={22}
      aria-hidden
      className="bell"
      data-behind={behind || undefined}
    >
      <path d="M3 2.6h16" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <path
        d="M11 4.2c-3.5 0-5 2.6-5 5.8 0 3.1-.9 4.7-2.6 6.1-.5.4-.2 1.2.4 1.2h14.4c.6 0 .9-.8.4-1.2C16.9 14.7 16 13.1 16 10c0-3.2-1.5-5.8-5-5.8z"
        fill="currentColor"
      />
      <circle cx="11" cy="19.4" r="2.1" data-ringing={ringing || undefined} onAnimationEnd={onRung} />
    </svg>
  );
}
