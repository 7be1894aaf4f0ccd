import { Badge, Group, type MantineColor, Stack, Text, Title } from '@mantine/core';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { Muted } from '../../components/text.tsx';
import type { Description, Operation } from './description.ts';
import { FieldTable, fieldsOf } from './fields.tsx';
import { Inline, Paragraphs } from './inline.tsx';
import { useReferenceTexts } from './texts.ts';
import { TryIt } from './try-it.tsx';

const methodColours: Readonly<Record<string, MantineColor>> = {
  GET: 'blue',
  POST: 'teal',
  PATCH: 'orange',
  DELETE: 'red',
};

/** Method and path, and for /api what is asked for there. */
export function OperationAddress({ operation }: { readonly operation: Operation }) {
  const { method, path, root } = operation;
  return (
    <Group gap={6} dir="ltr" wrap="nowrap" component="span" className="address">
      <Badge size="sm" radius="sm" variant="light" color={methodColours[method] ?? 'gray'}>
        {method}
      </Badge>
      <Text span size="xs" ff="monospace" className="break-anywhere">
        {path}
        {root !== undefined && (
          <Text span inherit fw={700}>
            {` <${root}>`}
          </Text>
        )}
      </Text>
    </Group>
  );
}

/** An operation: what it does, its fields, and a request to try. */
export function OperationSection({
  operation,
  description,
}: {
  readonly operation: Operation;
  readonly description: Description;
}) {
  const t = useReferenceTexts();
  const { parameters, outcomes, bodyDescription } = operation;
  return (
    <Stack gap="lg">
      <div>
        <Title order={2} size="h3" className="operation-title">
          <Inline text={operation.title} />
        </Title>
        <OperationAddress operation={operation} />
      </div>
      <Paragraphs text={operation.description} />
      <TryIt key={operation.id} operation={operation} />
      <Card title={t.request}>
        {bodyDescription !== undefined && <Paragraphs text={bodyDescription} />}
        <FieldTable
          title={t.address}
          marksRequired
          fields={parameters.map(({ name, in: where, description: text, schema, required = false }) => ({
            path: [where === 'path' ? `{${name}}` : `?${name}`],
            schema: { ...schema, ...(text !== undefined && { description: text }) },
            required,
          }))}
        />
        <FieldTable title={t.body} marksRequired fields={fieldsOf(description.resolve(operation.request))} />
      </Card>
      <Card title={t.answer}>
        <FieldTable title={t.answer} untitled fields={fieldsOf(description.resolve(operation.answer))} />
        <details>
          <summary>
            <Text span size="sm" fw={600}>
              {t.outcomes}
            </Text>{' '}
            <Muted span size="xs">
              <bdi dir="ltr">{outcomes.map(({ code }) => code.split(' ').at(-1)).join(', ')}</bdi>
            </Muted>
          </summary>
          <RowsTable
            caption={t.outcomes}
            hiddenHead
            rows={outcomes}
            rowKey={({ code }) => code}
            columns={[
              {
                title: t.code,
                rowHeader: true,
                width: '30%',
                cell: ({ code }) => (
                  <bdi dir="ltr" className="field-name">
                    {code}
                  </bdi>
                ),
              },
              {
                title: t.meaning,
                cell: ({ meaning }) => (
                  <Text size="sm">
                    <Inline text={meaning} />
                  </Text>
                ),
              },
            ]}
          />
        </details>
      </Card>
    </Stack>
  );
}
