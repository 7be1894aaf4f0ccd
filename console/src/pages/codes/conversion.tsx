import { Group, Progress } from '@mantine/core';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { type Column, RowsTable } from '../../components/data-table.tsx';
import { Fetched } from '../../components/states.tsx';
import { Count, Phone, Time } from '../../components/values.tsx';
import { percentOf } from '../../i18n/percent.ts';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { useCodeTexts } from './texts.ts';

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
  const t = useCodeTexts();
  const query = useAnswer('/v1/otp/applications', {
    query: { ...span, limit: APPLICATIONS },
  });
  return (
    <Card title={t.applications}>
      <Fetched query={query}>
        {({ applications }) => (
          <CountsTable
            caption={t.applications}
            rows={applications}
            rowKey={(row) => row.app_id ?? ''}
            name={{ title: t.application, cell: (row) => <bdi dir="ltr">{row.app_id}</bdi> }}
          />
        )}
      </Fetched>
    </Card>
  );
}

/** Codes by the first digits of the numbers that they went to. */
export function Prefixes({ span }: { readonly span: Span }) {
  const t = useCodeTexts();
  const query = useAnswer('/v1/otp/conversion', {
    query: { ...span, limit: PREFIXES },
  });
  return (
    <Card title={t.prefixes} lead={t.prefixesHint}>
      <Fetched query={query}>
        {({ prefixes }) => (
          <CountsTable
            caption={t.prefixes}
            rows={prefixes}
            rowKey={(row) => row.prefix}
            name={{ title: t.prefix, cell: (row) => <Phone number={`+${row.prefix}…`} /> }}
          />
        )}
      </Fetched>
    </Card>
  );
}

function CountsTable<Row extends Counts>({
  name,
  ...table
}: {
  readonly caption: string;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string | number;
  readonly name: Column<Row>;
}) {
  const t = useCodeTexts();
  return (
    <RowsTable
      {...table}
      empty={t.noRows}
      columns={[
        name,
        { title: t.sent, align: 'end', cell: (row) => <Count value={row.sent} /> },
        { title: t.used, align: 'end', wideOnly: true, cell: (row) => <Count value={row.verified} /> },
        { title: t.share, cell: (row) => <Share used={row.verified} sent={row.sent} /> },
        { title: t.phones, align: 'end', wideOnly: true, cell: (row) => <Count value={row.phones} /> },
        { title: t.last, wideOnly: true, cell: (row) => <Time at={row.last_at} /> },
      ]}
    />
  );
}

/** Usual share of codes entered by real people, and the share below which the fraud guard becomes active. */
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
        {percentOf(used, sent, language)}
      </bdi>
    </Group>
  );
}
