import {
  House,
  Inbox,
  LayoutList,
  type LucideIcon,
  Send,
  Server,
  Settings,
  Terminal,
  Users,
} from 'lucide-react';
import type { SectionName } from '../define-feature.ts';

/** Parts of the console between which the header switches. */
export type ModeName = 'console' | 'developers' | 'operator';

interface Section {
  readonly icon: LucideIcon;
  readonly mode: ModeName;
  /** Whether its pages are tabs of each other, a list next to the page, or the navigation of their mode. */
  readonly layout: 'tabs' | 'list' | 'navigation';
}

/** Sections of the navigation in their order. Features put their pages into them. */
export const sections: Readonly<Record<SectionName, Section>> = {
  home: { icon: House, mode: 'console', layout: 'tabs' },
  inbox: { icon: Inbox, mode: 'console', layout: 'tabs' },
  send: { icon: Send, mode: 'console', layout: 'tabs' },
  messages: { icon: LayoutList, mode: 'console', layout: 'tabs' },
  audience: { icon: Users, mode: 'console', layout: 'tabs' },
  settings: { icon: Settings, mode: 'console', layout: 'list' },
  developers: { icon: Terminal, mode: 'developers', layout: 'navigation' },
  operator: { icon: Server, mode: 'operator', layout: 'navigation' },
};
