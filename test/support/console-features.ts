/** A page as its feature registers it (console/src/define-feature.ts, which only the compiler of the console can read). */
export interface RegisteredPage {
  readonly path: string;
  readonly role: string;
  readonly title?: Label;
  readonly synonyms?: Label;
  readonly navigation?: {
    readonly section: string;
    readonly group?: string;
    readonly order: number;
    readonly label?: Label;
  };
  readonly parts?: readonly (Named & { readonly id: string })[];
  readonly component?: unknown;
}

type Label = (texts: unknown) => string;

interface Named {
  readonly title: Label;
  readonly synonyms?: Label;
}

interface FeatureList {
  readonly pages: readonly RegisteredPage[];
  readonly actions: readonly (Named & { readonly role: string; readonly href: string })[];
  readonly movedPages: readonly (readonly [before: string, now: string])[];
}

interface VisiblePages {
  visiblePages(session: object): readonly RegisteredPage[];
  visibleSections(session: object): readonly {
    readonly section: string;
    readonly entries: readonly { readonly path: string; readonly group?: string; readonly label: Label }[];
  }[];
}

interface Places {
  placeOf(
    session: object,
    location: string,
  ): {
    readonly modes: readonly { readonly mode: string }[];
    readonly mode: string;
    readonly section?: { readonly section: string };
    readonly entry?: { readonly path: string };
  };
}

const source = new URL('../../console/src/', import.meta.url);
// The client of the console reads the address of its page when it loads.
const scope = globalThis as { location?: unknown };
scope.location = new URL('http://console.example/');
/** All registrations of the console. */
export const features: FeatureList = await import(new URL('feature-list.ts', source).href);
/** What the shell of the console shows of them. */
export const visible: VisiblePages = await import(new URL('shell/visible-pages.ts', source).href);
/** Where the shell of the console finds a page in the navigation. */
export const { placeOf }: Places = await import(new URL('shell/place.ts', source).href);
delete scope.location;
