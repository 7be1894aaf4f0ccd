/** Values for the variables of saved and automatic replies; '' if unknown. */
export interface ReplyNames {
  readonly client_name: string;
  readonly agent_name: string;
}

const variable = /\{\{\s*(client_name|agent_name)\s*(?:\|([^{}|]{0,100}))?\}\}/g;

/**
 * Replaces `{{client_name}}` and `{{agent_name}}` with names. An unknown name becomes the text after `|`
 * (`{{client_name|friend}}`), or empty.
 */
export function fillVariables(text: string, names: ReplyNames): string {
  return text.replace(
    variable,
    (_, name: keyof ReplyNames, instead: string | undefined) => names[name].trim() || instead?.trim() || '',
  );
}
