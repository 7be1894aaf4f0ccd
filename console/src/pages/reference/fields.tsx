import { Badge, Text, Title } from '@mantine/core';
import { Fragment } from 'react';
import { RowsTable } from '../../components/data-table.tsx';
import { Muted } from '../../components/text.tsx';
import type { Schema } from './description.ts';
import { Inline } from './inline.tsx';
import { type ReferenceTexts, useReferenceTexts } from './texts.ts';

/** A field of a request or an answer. */
interface Field {
  /** With those that it is in: `destinations.phone`. */
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly required: boolean;
}

/** The fields of an object, each followed by those in it. */
export function fieldsOf(schema: Schema, path: readonly string[] = []): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field: Field = {
      path: [...path, name],
      schema: property,
      required: schema.required?.includes(name) ?? false,
    };
    const inside = fieldsOf(innermost(property), field.path);
    // Of one that only holds others, their paths say enough.
    return inside.length > 0 && property.description === undefined ? inside : [field, ...inside];
  });
}

/** Fields with their types, limits and meanings. */
export function FieldTable({
  title,
  untitled = false,
  fields,
  marksRequired = false,
}: {
  readonly title: string;
  /** Where the heading above says it already. */
  readonly untitled?: boolean;
  readonly fields: readonly Field[];
  /** Whether it matters which must be there. */
  readonly marksRequired?: boolean;
}) {
  const t = useReferenceTexts();
  if (fields.length === 0) return null;
  return (
    <section>
      {!untitled && (
        <Title order={3} size="h5" mb={4}>
          {title}
        </Title>
      )}
      <RowsTable
        caption={title}
        className="fields"
        hiddenHead
        rows={fields}
        rowKey={({ path }) => path.join('.')}
        columns={[
          {
            title: t.field,
            rowHeader: true,
            width: '38%',
            cell: ({ path, required }) => (
              <>
                <bdi dir="ltr" className="field-name">
                  <Text span inherit c="dimmed">
                    {path.slice(0, -1).map((name) => `${name}.`)}
                  </Text>
                  {path.at(-1)}
                </bdi>
                {marksRequired && required && (
                  <Badge size="xs" variant="light" color="orange" tt="none" ms={6}>
                    {t.required}
                  </Badge>
                )}
              </>
            ),
          },
          { title: t.meaning, cell: ({ schema }) => <Meaning schema={schema} /> },
        ]}
      />
    </section>
  );
}

/** The type of a field, its limits, and what it is for. */
function Meaning({ schema }: { readonly schema: Schema }) {
  const t = useReferenceTexts();
  return (
    <>
      <Muted size="xs">
        <bdi>{typeOf(schema, t)}</bdi>
        {limitsOf(schema).map((limit) => (
          <Fragment key={limit}>
            {' · '}
            <bdi dir="ltr">{limit}</bdi>
          </Fragment>
        ))}
      </Muted>
      {schema.description !== undefined && (
        <Text size="sm">
          <Inline text={schema.description} />
        </Text>
      )}
    </>
  );
}

function innermost(schema: Schema): Schema {
  return schema.items ? innermost(schema.items) : schema;
}

function typeOf(schema: Schema, t: ReferenceTexts): string {
  if (schema.items) return t.listOf(typeOf(schema.items, t));
  if (schema.anyOf) return t.or([...new Set(schema.anyOf.map((one) => typeOf(one, t)))]);
  const types = [schema.type ?? 'any'].flat();
  return t.or(types.map((type) => t.types[type] ?? type));
}

/** Bounds and choices, which read the same in every language. */
function limitsOf({
  minimum,
  maximum,
  maxLength,
  maxItems,
  enum: choices,
  default: usual,
}: Schema): string[] {
  const limits: string[] = [];
  if (minimum !== undefined && maximum !== undefined) limits.push(`${minimum} – ${maximum}`);
  else if (minimum !== undefined) limits.push(`≥ ${minimum}`);
  const most = maxLength ?? maxItems;
  if (most !== undefined) limits.push(`≤ ${most.toLocaleString('en')}`);
  if (choices) limits.push(choices.join(' | '));
  if (usual !== undefined && usual !== '') limits.push(`= ${String(usual)}`);
  return limits;
}
