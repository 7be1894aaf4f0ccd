import { Anchor, Box, Grid, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { BookOpenText, Search } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useParams, useSearchParams } from 'wouter';
import { BackLink, Page } from '../../components/page.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { type Description, type Operation, useDescription } from './description.ts';
import { fieldsOf } from './fields.tsx';
import { OperationAddress, OperationSection } from './operation.tsx';
import './reference.css';
import { useReferenceTexts } from './texts.ts';

/** The interface: every operation with its fields, and a request to try. */
export default function Reference() {
  const t = useReferenceTexts();
  const { operation: id } = useParams<{ operation?: string }>();
  const query = useDescription();
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Group gap="md">
          <Anchor href="/docs/guide" size="sm">
            {t.guides}
          </Anchor>
          <Anchor href="/docs" size="sm">
            {t.readable}
          </Anchor>
          <Anchor href="/docs/openapi.json" size="sm">
            {t.openApi}
          </Anchor>
        </Group>
      }
    >
      <Fetched query={query} lines={8}>
        {(description) => <Shown description={description} id={id} />}
      </Fetched>
    </Page>
  );
}

function Shown({ description, id }: { readonly description: Description; readonly id: string | undefined }) {
  const t = useReferenceTexts();
  const operation = id === undefined ? undefined : description.byId.get(id);
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 4 }} visibleFrom={id === undefined ? undefined : 'md'}>
        <List description={description} current={id} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }} visibleFrom={id === undefined ? 'md' : undefined}>
        {id !== undefined && (
          <Box hiddenFrom="md" mb="sm">
            <BackLink href="/reference" title={t.allOperations} />
          </Box>
        )}
        {operation ? (
          <OperationSection operation={operation} description={description} />
        ) : (
          <Paper withBorder>
            <Empty icon={BookOpenText} title={id === undefined ? t.choose : t.unknown} hint={t.chooseHint} />
          </Paper>
        )}
      </Grid.Col>
    </Grid>
  );
}

/** Every operation by group, narrowed by what somebody types. */
function List({
  description,
  current,
}: {
  readonly description: Description;
  readonly current: string | undefined;
}) {
  const t = useReferenceTexts();
  // In the address, which stays when an operation is opened.
  const [asked, setAsked] = useSearchParams();
  const typed = asked.get('q') ?? '';
  const searched = useMemo(() => textsOf(description), [description]);
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (operation: Operation) => words.every((word) => searched.get(operation.id)?.includes(word));
  const groups = description.groups
    .map((group) => ({ ...group, operations: group.operations.filter(matches) }))
    .filter(({ operations }) => operations.length > 0);
  const count = groups.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <Stack component="nav" aria-label={t.operations} gap="sm" className="operations">
      <TextInput
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        leftSection={<Search size={16} />}
        value={typed}
        onChange={({ currentTarget: { value } }) =>
          setAsked(value === '' ? {} : { q: value }, { replace: true })
        }
      />
      <Muted size="xs" role="status">
        {count === 0 ? t.nothingFound : t.found(count)}
      </Muted>
      {groups.map(({ name, operations }) => (
        <div key={name}>
          <Title order={2} size="xs" c="dimmed" fw={600} mb={4}>
            {t.groups[name] ?? name}
          </Title>
          <ul className="plain-list">
            {operations.map((operation) => (
              <li key={operation.id}>
                <Link
                  href={`/reference/${operation.id}${typed === '' ? '' : `?${asked}`}`}
                  className="operation-link"
                  aria-current={operation.id === current ? 'page' : undefined}
                >
                  <Text size="sm" fw={500} lang="en" dir="auto">
                    {operation.title.replaceAll('`', '')}
                  </Text>
                  <OperationAddress operation={operation} />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Stack>
  );
}

/** What each operation is found by: its name, address and fields. */
function textsOf({ byId, resolve }: Description): ReadonlyMap<string, string> {
  return new Map(
    Array.from(byId.values(), (operation) => [
      operation.id,
      [
        operation.id,
        operation.title,
        operation.path,
        operation.root ?? '',
        ...operation.parameters.map(({ name }) => name),
        ...fieldsOf(resolve(operation.request)).map(({ path }) => path.join('.')),
      ]
        .join(' ')
        .toLowerCase(),
    ]),
  );
}
