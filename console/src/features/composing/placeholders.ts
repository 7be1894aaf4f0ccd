/** A placeholder of a text: as the service knows it, `[DYNAMIC_FIELD2]`, and its name on the screen, "City". */
export interface Placeholder {
  readonly wire: string;
  readonly name: string;
}

const names = /\{\{([^{}]{1,100})\}\}/g;

/** A placeholder on the screen. All channels show placeholders in this form. */
export const shownPlaceholder = (name: string): string => `{{${name}}}`;

/** Returns a text as the screen shows it, with placeholders by name. */
export function withNames(text: string, placeholders: readonly Placeholder[]): string {
  return placeholders.reduce((shown, { wire, name }) => shown.replaceAll(wire, shownPlaceholder(name)), text);
}

/** Returns a text as the service knows it. Names without a placeholder stay as they are. */
export function withoutNames(text: string, placeholders: readonly Placeholder[]): string {
  const lower = (name: string) => name.trim().toLowerCase();
  return text.replace(
    names,
    (whole, name: string) =>
      placeholders.find((placeholder) => lower(placeholder.name) === lower(name))?.wire ?? whole,
  );
}

/** Returns the first name in double braces that is no placeholder, of a text as the service knows it. */
export const unknownName = (text: string): string | undefined => names[Symbol.match](text)?.[0];
