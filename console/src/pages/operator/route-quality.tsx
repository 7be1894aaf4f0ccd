import { Paper, Stack } from '@mantine/core';
import { useState } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { RowsTable } from '../../components/data-table.tsx';
import { numberSearch, SearchField } from '../../components/search-field.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted, Section } from '../../components/text.tsx';
import { percentOf } from '../../i18n/percent.ts';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { useRouteTexts } from './route-texts.ts';

/** Figures in the table; a prefix finds others. */
const SHOWN = 20;

/** Delivered shares of connectors by prefix, and shares of used codes, as routes use them. */
export function RouteQuality() {
  const { quality: t } = useRouteTexts();
  const language = useLanguage();
  const [prefix, setPrefix] = useState('');
  const figures = useAnswer('/v1/operator/routes/quality', { query: { prefix: prefix.replace(/\D/g, '') } });
  const percent = (value: number | null) =>
    value === null ? '–' : <bdi dir="ltr">{percentOf(value, 100, language)}</bdi>;
  return (
    <Section
      title={t.title}
      hint={t.hint}
      actions={<SearchField label={t.search} value={prefix} onSearch={setPrefix} {...numberSearch} />}
    >
      <Fetched query={figures}>
        {({ figures: all }) =>
          all.length === 0 ? (
            <Muted size="sm">{t.none}</Muted>
          ) : (
            <Stack gap="xs">
              <Paper withBorder className="table-card">
                <RowsTable
                  caption={t.title}
                  rows={all.slice(0, SHOWN)}
                  rowKey={(figure) => `${figure.prefix} ${figure.connector}`}
                  columns={[
                    {
                      title: t.prefix,
                      rowHeader: true,
                      cell: (figure) => <bdi dir="ltr">+{figure.prefix}</bdi>,
                    },
                    { title: t.connector, cell: (figure) => <bdi dir="ltr">{figure.connector}</bdi> },
                    { title: t.delivered, align: 'end', cell: (figure) => percent(figure.delivered_percent) },
                    {
                      title: t.atLeast,
                      align: 'end',
                      wideOnly: true,
                      cell: (figure) => percent(figure.lower_bound_percent),
                    },
                    {
                      title: t.messages,
                      align: 'end',
                      cell: (figure) => figure.messages.toLocaleString(language),
                    },
                    {
                      title: t.seconds,
                      align: 'end',
                      wideOnly: true,
                      cell: ({ delivery_seconds: seconds }) =>
                        seconds === null ? '–' : seconds.toLocaleString(language),
                    },
                    {
                      title: t.codes,
                      align: 'end',
                      wideOnly: true,
                      cell: (figure) => figure.codes.toLocaleString(language),
                    },
                    { title: t.used, align: 'end', cell: (figure) => percent(figure.used_percent) },
                    {
                      title: t.usedAtLeast,
                      align: 'end',
                      wideOnly: true,
                      cell: (figure) => percent(figure.used_lower_bound_percent),
                    },
                  ]}
                />
              </Paper>
              {all.length > SHOWN && <Muted size="xs">{t.more(SHOWN)}</Muted>}
            </Stack>
          )
        }
      </Fetched>
    </Section>
  );
}
