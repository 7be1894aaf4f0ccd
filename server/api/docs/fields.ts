import { escapeHtml } from '../../kit/text/html.ts';
import type { JsonSchema } from '../openapi/shown.ts';
import { inline } from './text.ts';

/** A field of a request or a response, as a row of a table. */
interface Field {
  /** Path including the enclosing fields: `destinations.phone`. */
  readonly path: readonly string[];
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** Returns the fields of an object, each followed by its nested fields. */
export function fieldsOf(schema: JsonSchema, path: readonly string[] = []): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field: Field = {
      path: [...path, name],
      schema: property as JsonSchema,
      required: schema.required?.includes(name) ?? false,
    };
    const inside = fieldsOf(innermost(field.schema), field.path);
    // An element without a description is omitted, because the paths of its fields show it.
    return inside.length > 0 && field.schema.description === undefined ? inside : [field, ...inside];
  });
}

/** @param marksRequired whether to mark required fields */
export function fieldsTable(title: string, fields: readonly Field[], marksRequired: boolean): string {
  if (fields.length === 0) return '';
  const rows = fields.map(({ path, schema, required }) => {
    const parents = path.slice(0, -1).map((name) => `${escapeHtml(name)}.`);
    const mark = marksRequired && required ? ' <span class="required">required</span>' : '';
    const limits = limitsOf(schema).map(inline);
    const described = inline(schema.description ?? '');
    return `<tr><th scope="row"><code class="field"><span class="parents">${parents.join('<wbr>')}</span><wbr>${escapeHtml(path.at(-1)!)}</code>${mark}</th>
<td><span class="type">${[typeOf(schema), ...limits].join(', ')}</span>${described}</td></tr>`;
  });
  return `<h3>${title}</h3>
<table><tbody>
${rows.join('\n')}
</tbody></table>`;
}

function innermost(schema: JsonSchema): JsonSchema {
  return schema.items ? innermost(schema.items as JsonSchema) : schema;
}

const names: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  null: 'null',
};

function typeOf(schema: JsonSchema): string {
  if (schema.items) return `list of ${typeOf(schema.items as JsonSchema)}`;
  if (schema.anyOf) {
    const alternatives = schema.anyOf as JsonSchema[];
    // Only the object form of a text with attributes has a property `$` (textWithId of the SMS API).
    if (alternatives.some(({ properties }) => properties?.$)) return 'text with <code>id</code>';
    return [...new Set(alternatives.map(typeOf))].join(' or ');
  }
  const types = [schema.type ?? []].flat().map((type) => names[type] ?? type);
  return types.join(' or ') || 'anything';
}

function limitsOf(schema: JsonSchema): string[] {
  const limits: string[] = [];
  const { minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems } = schema;
  const count = (most: number, least: number, what: string) =>
    least > 1 ? `${least} to ${most} ${what}` : `at most ${most.toLocaleString('en')} ${what}`;
  if (minimum !== undefined && maximum !== undefined) limits.push(`${minimum} to ${maximum}`);
  else if (minimum !== undefined) limits.push(`${minimum} or more`);
  if (maxLength !== undefined) limits.push(count(maxLength, minLength, 'characters'));
  if (maxItems !== undefined) limits.push(count(maxItems, minItems, 'entries'));
  if (schema.enum) limits.push(schema.enum.map((one) => `\`${one}\``).join(' or '));
  // An empty text or list is not worth showing.
  if (schema.default !== undefined && String(schema.default) !== '')
    limits.push(`\`${schema.default}\` by default`);
  return limits;
}
