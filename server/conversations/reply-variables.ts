/** The names that the variables of a saved reply or an automatic one stand for; '' where there is none. */
export interface ReplyNames {
  readonly client_name: string;
  readonly agent_name: string;
}

const variable = /\{\{\s*(client_name|agent_name)\s*(?:\|([^{}|]{0,100}))?\}\}/g;

/**
 * Puts names in the place of `{{client_name}}` and `{{agent_name}}`. For a name that there is not, it puts what stands after `|`
 * (`{{client_name|friend}}`), or nothing.
 */
export function fillVariables(text: string, names: ReplyNames): string {
  return text.replace(
    variable,
    (_, name: keyof ReplyNames, instead: string | undefined) => names[name].trim() || instead?.trim() || '',
  );
}
