/** Every channel. */
export const ANY = 'any';
/** Characters of the name of a form. */
export const MAX_FORM = 200;

export type ConsentChannel = 'sms' | 'voice' | 'chat' | 'mail' | typeof ANY;

/** Consent of the people in a file, as form values. */
export interface ConsentChoice {
  readonly channel: ConsentChannel;
  readonly form: string;
  readonly text: string;
  readonly way: 'date' | 'column';
  /** ISO 8601; '' without a value. */
  readonly at: string;
  /** Counted from 1; null: none is chosen. */
  readonly column: number | null;
}

/** Query parameters of an import that records this consent; empty without a choice. */
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
