import { Stack, Text } from '@mantine/core';
import { History } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { client } from '../../api/client.ts';
import type { Answer, RequestBody } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Action } from '../../components/action.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { type CarrierRoute, priceText, ROUTES } from './connector-data.ts';
import { useRouteTexts } from './route-texts.ts';

const REPLAY = '/v1/operator/routes/replay';
type Compared = Answer<typeof REPLAY, 'POST'>;
type ReplayedRoute = RequestBody<typeof REPLAY>['routes'][number];

const bodyOf = ({ id: _id, name: _name, hours, ...route }: CarrierRoute): ReplayedRoute => ({
  ...route,
  hours: hours?.week ? { zone: hours.zone, week: hours.week } : null,
});

/** Compares the present routes with a new or changed one for the messages of the last 24 hours, before it is saved. */
export function RouteComparison({
  changed,
  body,
  isValid,
}: {
  /** The route that is changed; undefined: the route is new. */
  readonly changed: CarrierRoute | undefined;
  readonly body: ReplayedRoute;
  /** Checks the form, and shows what is wrong. */
  readonly isValid: () => boolean;
}) {
  const { compare: t } = useRouteTexts();
  const routes = useAnswer(ROUTES);
  /** The answer, and the route as it was then: once the form changes it may be wrong. */
  const [result, setResult] = useState<{ compared: Compared; of: string }>();
  const of = JSON.stringify(body);
  const added = routes.data?.routes.filter(({ id }) => id !== null);
  const { busy, error, run } = useTask(async () => {
    const compared = await client.POST(REPLAY, {
      body: {
        routes: added!.map((route) => (route.id === changed?.id ? body : bodyOf(route))),
        ...(changed === undefined && { added: body }),
      },
    });
    setResult({ compared, of });
  });
  const shown = result?.of === of ? result.compared : undefined;
  return (
    <Stack gap="xs">
      <div>
        <Action
          icon={History}
          size="xs"
          variant="light"
          loading={busy}
          disabled={added === undefined}
          onClick={() => isValid() && void run()}
        >
          {t.submit}
        </Action>
      </div>
      <ErrorNote error={error} />
      <Text size="sm" role="status">
        {shown && <Moved compared={shown} />}
      </Text>
      {shown && shown.messages > 0 && <Totals compared={shown} />}
    </Stack>
  );
}

interface Row {
  readonly name: string;
  readonly before: ReactNode;
  readonly after: ReactNode;
}

/** How many messages the route would move, in a sentence. */
function Moved({ compared: { messages, moved, is_sample: isSample } }: { readonly compared: Compared }) {
  const { compare: t } = useRouteTexts();
  const language = useLanguage();
  if (messages === 0) return t.none;
  return (
    <>
      {t.moved(moved.toLocaleString(language), messages.toLocaleString(language))} {isSample && t.sample}
    </>
  );
}

function Totals({ compared }: { readonly compared: Compared }) {
  const { compare: t } = useRouteTexts();
  const language = useLanguage();
  const { codes, before, after } = compared;
  const count = (value: number) => <bdi dir="ltr">{value.toLocaleString(language)}</bdi>;
  const cost = (value: number) => <bdi dir="ltr">{priceText(value, language)}</bdi>;
  const row = (name: string, figure: keyof Compared['before'], show = count) => ({
    name,
    before: show(before[figure]),
    after: show(after[figure]),
  });
  const isAny = (figure: keyof Compared['before']) => before[figure] > 0 || after[figure] > 0;
  const columns = [
    { title: t.now, align: 'end' as const, cell: (one: Row) => one.before },
    { title: t.after, align: 'end' as const, cell: (one: Row) => one.after },
  ];
  return (
    <Stack gap="xs">
      <RowsTable
        caption={t.totals}
        captionSide="top"
        rows={[
          row(t.cost, 'cost', cost),
          ...(isAny('without_price') ? [row(t.withoutPrice, 'without_price')] : []),
          row(t.delivered, 'delivered'),
          ...(isAny('without_share') ? [row(t.withoutShare, 'without_share')] : []),
          ...(codes > 0 ? [row(t.used, 'used')] : []),
          ...(isAny('without_used_share') ? [row(t.withoutUsedShare, 'without_used_share')] : []),
        ]}
        rowKey={({ name }) => name}
        columns={[{ title: t.figure, rowHeader: true, cell: ({ name }) => name }, ...columns]}
      />
      <RowsTable
        caption={t.byConnector}
        captionSide="top"
        rows={compared.connectors.map(({ connector, ...one }) => ({
          name: connector,
          before: count(one.before),
          after: count(one.after),
        }))}
        rowKey={({ name }) => name}
        columns={[
          { title: t.connector, rowHeader: true, cell: ({ name }) => <bdi dir="ltr">{name}</bdi> },
          ...columns,
        ]}
      />
    </Stack>
  );
}
