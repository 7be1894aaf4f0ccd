import {
  Building2,
  Code,
  House,
  LayoutTemplate,
  type LucideIcon,
  Megaphone,
  MessagesSquare,
  Send,
  UserRoundCog,
  Users,
} from 'lucide-react';
import type { SectionName } from '../define-feature.ts';

interface Section {
  readonly icon: LucideIcon;
  /** Whether a browser that keeps no choice shows its entries. */
  readonly opened?: true;
  /** Set apart from the sections above it. */
  readonly apart?: true;
}

/** Sections of the navigation in their order. Features put their pages into them. */
export const sections: Readonly<Record<SectionName, Section>> = {
  home: { icon: House, opened: true },
  conversations: { icon: MessagesSquare, opened: true },
  send: { icon: Send, opened: true },
  campaigns: { icon: Megaphone, opened: true },
  audience: { icon: Users, opened: true },
  templates: { icon: LayoutTemplate },
  developers: { icon: Code },
  account: { icon: UserRoundCog },
  operator: { icon: Building2, opened: true, apart: true },
};
