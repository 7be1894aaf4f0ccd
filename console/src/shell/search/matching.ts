interface Findable {
  readonly title: string;
  readonly note?: string;
  readonly synonyms?: string;
}

/** Returns the rows whose title, note and synonyms contain every typed word. */
export function matching<Row extends Findable>(rows: readonly Row[], typed: string): Row[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ title, note = '', synonyms = '' }) => {
    const text = `${title} ${note} ${synonyms}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
