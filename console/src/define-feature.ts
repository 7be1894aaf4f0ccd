import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { PersonRole } from '../../server/api/access/roles.ts';
import type { Session } from './api/session.ts';
import { Script } from './components/script.ts';
import type { Dictionary, FirstTexts } from './i18n/en.ts';
import { withMoreTexts } from './i18n/load-texts.ts';

/** A text in the chosen language. */
type Label = (texts: FirstTexts) => string;

/** Other words by which the search finds something: texts that are fetched with the search. */
type Synonyms = (texts: Dictionary) => string;

/** Sections of the navigation; shell/sections.ts has their order. */
export type SectionName = keyof FirstTexts['shell']['sections'];

/** Headings between the pages of a section that lists them. */
type GroupName = keyof FirstTexts['shell']['groups'];

/** Requirements to open a page or use an action. */
export interface Access {
  /** Lowest role. */
  readonly role: PersonRole | 'everyone';
  /** Only in installations with a sandbox. */
  readonly sandbox?: true;
  /** About the person or the installation: an operator sees it without having chosen an account. */
  readonly withoutAccount?: true;
}

/** A number next to an entry of the navigation, and its text for screen readers. */
export interface Badge {
  readonly useCount: () => number;
  readonly text: (texts: FirstTexts, count: number) => string;
}

/** Entry of a page in the navigation. */
interface Entry {
  readonly section: SectionName;
  /** Heading above it, in sections that list their pages. */
  readonly group?: GroupName;
  /** Place among the entries of the section. */
  readonly order: number;
  /** Label of the entry, if it differs from the title of the page. */
  readonly label?: Label;
  readonly badge?: Badge;
  /** Pages whose address begins with the address of this one are not below it. */
  readonly exact?: true;
}

/** A card of a page that the search offers. */
interface Part {
  /** Id of its element, the hash of its address. */
  readonly id: string;
  readonly title: Label;
  readonly synonyms?: Synonyms;
  readonly isShown?: (session: Session) => boolean;
}

type Load = () => Promise<{ readonly default: ComponentType }>;

interface PageBase extends Access {
  /** Path in the syntax of wouter: `/messages/:id`. */
  readonly path: string;
  /** Other words by which the search finds the page. */
  readonly synonyms?: Synonyms;
  readonly parts?: readonly Part[];
}

/** A page in the navigation has a title; others may set theirs when they have their data. */
type Titled =
  | { readonly title: Label; readonly navigation?: Entry }
  | { readonly title?: undefined; readonly navigation?: undefined };

type PageInput = PageBase &
  Titled & {
    /** Loads the page when it is first opened. An address without it is served by the service, not by the console. */
    readonly load?: Load;
    /** Whether visits begin with it: all its texts are in i18n/en.ts, and its script is in few files (chunks.ts). */
    readonly isFirst?: true;
  };

export type PageEntry = PageBase &
  Titled & {
    /** An address without it is served by the service. */
    readonly script?: Script;
  };

/** An action that the search offers. */
export interface ActionEntry extends Access {
  readonly icon: LucideIcon;
  readonly title: Label;
  readonly synonyms?: Synonyms;
  readonly href: string;
}

/** Current address by earlier address of a page. Queries are kept. */
type Moved = Readonly<Record<string, string>>;

interface Feature {
  readonly pages: readonly PageEntry[];
  readonly actions: readonly ActionEntry[];
  readonly moved: Moved;
}

/**
 * Registers the pages of a folder, with their entries in the navigation and the search. feature-list.ts collects all features;
 * the shell computes routes, navigation, search and page titles from them.
 */
export function defineFeature({
  pages,
  actions = [],
  moved = {},
}: {
  readonly pages: readonly PageInput[];
  readonly actions?: readonly ActionEntry[];
  readonly moved?: Moved;
}): Feature {
  return {
    pages: pages.map(({ load, isFirst = false, ...page }) => ({
      ...page,
      ...(load && { script: new Script(isFirst ? load : withMoreTexts(load)) }),
    })),
    actions,
    moved,
  };
}
