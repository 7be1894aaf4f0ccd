/** Every channel. */
export const ANY = 'any';
/** Characters of the name of a form. */
export const MAX_FORM = 200;

export type ConsentChannel = 'sms' | 'voice' | 'chat' | 'mail' | typeof ANY;

/** What the people of a file agreed to, as it is typed. */
export interface ConsentChoice {
  readonly channel: ConsentChannel;
  readonly form: string;
  readonly text: string;
  readonly way: 'date' | 'column';
  /** ISO 8601; '' for none. */
  readonly at: string;
  /** Counted from 1; null: none is chosen. */
  readonly column: number | null;
}

/** The query of an import that says so; empty where nothing is said of it. */
export function consentQuery(choice: ConsentChoice | undefined, file: File) {
  if (!choice) return {};
  const { channel, form, text, way, at, column } = choice;
  return {
    consent_channel: channel,
    consent_file: file.name.slice(0, MAX_FORM),
    ...(form.trim() !== '' && { consent_form: form.trim() }),
    ...(text.trim() !== '' && { consent_text: text.trim() }),
    ...(way === 'date' && at !== '' && { consent_at: at }),
    ...(way === 'column' && column !== null && { consent_column: column }),
  };
}
