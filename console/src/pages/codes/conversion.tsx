import { Group, Progress, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { Card } from '../../components/card.tsx';
import { Fetched } from '../../components/states.tsx';
import { Count, Phone, Time } from '../../components/values.tsx';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';

interface Span {
  readonly from: string;
  readonly to: string;
}

interface Counts {
  readonly sent: number;
  readonly verified: number;
  readonly phones: number;
  readonly last_at: string;
}

const APPLICATIONS = 50;
const PREFIXES = 20;

/** Codes by the application that asked for them. */
export function Applications({ span }: { readonly span: Span }) {
  const { codes: t } = useTexts();
  const query = api.useQuery('get', '/v1/otp/applications', {
    params: { query: { ...span, limit: APPLICATIONS } },
  });
  return (
    <Card title={t.applications}>
      <Fetched query={query}>
        {({ applications }) => (
          <CountsTable
            caption={t.applications}
            first={t.application}
            rows={applications.map((row) => ({
              ...row,
              key: String(row.app_id),
              name: <bdi dir="ltr">{row.app_id}</bdi>,
            }))}
          />
        )}
      </Fetched>
    </Card>
  );
}

/** Codes by the first digits of the numbers that they went to. */
export function Prefixes({ span }: { readonly span: Span }) {
  const { codes: t } = useTexts();
  const query = api.useQuery('get', '/v1/otp/conversion', {
    params: { query: { ...span, limit: PREFIXES } },
  });
  return (
    <Card title={t.prefixes} lead={t.prefixesHint}>
      <Fetched query={query}>
        {({ prefixes }) => (
          <CountsTable
            caption={t.prefixes}
            first={t.prefix}
            rows={prefixes.map((row) => ({
              ...row,
              key: row.prefix,
              name: <Phone number={`+${row.prefix}…`} />,
            }))}
          />
        )}
      </Fetched>
    </Card>
  );
}

function CountsTable({
  caption,
  first,
  rows,
}: {
  readonly caption: string;
  readonly first: string;
  readonly rows: readonly (Counts & { readonly key: string; readonly name: ReactNode })[];
}) {
  const { codes: t } = useTexts();
  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.noRows}
      </Text>
    );
  }
  return (
    <Table.ScrollContainer minWidth={240}>
      <Table verticalSpacing="xs">
        <Table.Caption className="table-caption">{caption}</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{first}</Table.Th>
            <Table.Th scope="col" ta="end">
              {t.sent}
            </Table.Th>
            <Table.Th scope="col" ta="end" visibleFrom="sm">
              {t.used}
            </Table.Th>
            <Table.Th scope="col">{t.share}</Table.Th>
            <Table.Th scope="col" ta="end" visibleFrom="sm">
              {t.phones}
            </Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              {t.last}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.key}>
              <Table.Td>{row.name}</Table.Td>
              <Table.Td ta="end">
                <Count value={row.sent} />
              </Table.Td>
              <Table.Td ta="end" visibleFrom="sm">
                <Count value={row.verified} />
              </Table.Td>
              <Table.Td>
                <Share used={row.verified} sent={row.sent} />
              </Table.Td>
              <Table.Td ta="end" visibleFrom="sm">
                <Count value={row.phones} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Time at={row.last_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** From here on a share is what people's codes have; below, the brake begins to look. */
const GOOD = 0.6;
const POOR = 0.2;

function Share({ used, sent }: { readonly used: number; readonly sent: number }) {
  const language = useLanguage();
  const share = sent === 0 ? 0 : used / sent;
  const color = share >= GOOD ? 'teal' : share >= POOR ? 'orange' : 'red';
  return (
    <Group gap="xs" wrap="nowrap">
      <Progress value={share * 100} color={color} w={90} size="sm" aria-hidden visibleFrom="xs" />
      <bdi dir="ltr" className="figures">
        {share.toLocaleString(language, { style: 'percent' })}
      </bdi>
    </Group>
  );
}
