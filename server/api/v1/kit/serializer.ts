import type { z } from 'zod';
import { conversionOf, type Source } from '../../openapi/out.ts';

/** Name of a field such as `campaign_name` in the domain: `campaignName`. */
type Camel<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail> & string>}`
  : Name;

/** The property of a row that a field shows: the same name, or its camel case. */
type Property<Name, Row> = Name extends keyof Row ? Name : Camel<Name>;

/** Properties that a row needs for these fields. */
type Sources<Shape, Row> = {
  readonly [Name in keyof Shape as Property<Name, Row> & PropertyKey]: Source<Shape[Name]>;
};

type Answer<Shape extends z.core.$ZodShape> = z.output<z.ZodObject<Shape>>;

/**
 * Returns a function that formats rows of the domain for a response. Each field shows the property of its name
 * (`created_at` shows `created_at` or `createdAt`), converted by its schema (`out.time`, `out.id`, …).
 *
 * @param answer the schema of the response
 * @param computed returns the fields that are not properties of the row
 */
export function serializer<
  Shape extends z.core.$ZodShape,
  Given = object,
  Own extends Partial<Answer<Shape>> = Record<never, never>,
>(answer: z.ZodObject<Shape>, computed?: (row: Given) => Own) {
  const fields = Object.entries(answer.shape).map(([name, schema]) => ({
    name,
    camel: name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
    convert: conversionOf(schema),
  }));
  return <Row extends Given>(row: Row & Sources<Omit<Shape, keyof Own>, Row>): Answer<Shape> => {
    const given = row as unknown as Readonly<Record<string, unknown>>;
    const shown: Record<string, unknown> = { ...computed?.(row) };
    for (const { name, camel, convert } of fields) {
      if (Object.hasOwn(shown, name)) continue;
      const value = name in given ? given[name] : given[camel];
      shown[name] = convert ? convert(value) : value;
    }
    return shown as Answer<Shape>;
  };
}
