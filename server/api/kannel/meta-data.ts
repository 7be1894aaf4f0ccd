import { Form } from '../http-interfaces/form.ts';

/** Returns a group of `meta-data`, which has groups like `?smpp?name=value&name=value`; undefined without it. */
export function groupOf(metaData: string, group: string): Form | undefined {
  const parts = metaData.split('?');
  const at = parts.indexOf(group);
  return at === -1 ? undefined : new Form(parts[at + 1] ?? '');
}
