import { NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { DateTimeInput } from '../../components/date-time-input.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { StatusBadge } from '../../components/values.tsx';
import { percentOf } from '../../i18n/percent.ts';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { AccountSelect } from './account-select.tsx';
import { type CarrierRoute, connectorTones, labelOf, messageKinds, priceText } from './connector-data.ts';
import { useRouteTexts } from './route-texts.ts';
import { NameList, PrefixList, RouteName } from './route-words.tsx';
import { useOperatorTexts } from './texts.ts';

type Found = Answer<'/v1/operator/routes/find'>;
type Tried = Found['routes'][number];

interface Values extends Record<string, unknown> {
  phone: string;
  account: string | null;
  sender: string;
  kind: (typeof messageKinds)[number];
  /** ISO 8601; '' is now. */
  at: string;
}

/** Says which route and connectors a message would take, and why it takes none of the others. */
export function FindRoute({ routes }: { readonly routes: readonly CarrierRoute[] }) {
  const { find: t, kindNames } = useRouteTexts();
  /** The answer, and the routes at that time: once they change it may be wrong. */
  const [result, setResult] = useState<{ found: Found; of: readonly CarrierRoute[] }>();
  const form = useForm<Values>({
    initialValues: { phone: '', account: null, sender: '', kind: 'transactional', at: '' },
  });
  const submission = useSubmission(form, async ({ phone, account, sender, kind, at }) => {
    setResult(undefined);
    const query = { phone, sender, kind, ...(account !== null && { account }), ...(at !== '' && { at }) };
    const found = await client.GET('/v1/operator/routes/find', { query });
    setResult({ found, of: routes });
  });
  const field = fieldsOf(form);
  const found = result?.of === routes ? result.found : undefined;
  return (
    <Card title={t.title} lead={t.lead}>
      <Form submission={submission} action={t.submit} narrow>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {field.text('phone', t.phone, { required: true, inputMode: 'tel' })}
          <AccountSelect label={t.account} clearable {...form.getInputProps('account')} />
          {field.text('sender', t.sender, { maxLength: 40 })}
          <NativeSelect
            label={t.kind}
            data={messageKinds.map((value) => ({ value, label: kindNames[value] }))}
            {...form.getInputProps('kind')}
          />
          <DateTimeInput
            label={t.at}
            value={form.values.at}
            onChange={(at) => form.setFieldValue('at', at)}
            error={form.errors.at}
          />
        </SimpleGrid>
      </Form>
      <Text size="sm" role="status">
        {found && (
          <>
            <Recipient of={found.recipient} /> <Result found={found} />
          </>
        )}
      </Text>
      {found && (
        <Stack>
          {found.connectors.length > 0 && <FoundConnectors found={found} />}
          <OtherRoutes tried={found.routes} routes={routes} />
        </Stack>
      )}
    </Card>
  );
}

/** The network of the number, if it is remembered. */
function Recipient({ of: { network, ported, waits } }: { readonly of: Found['recipient'] }) {
  const { find: t } = useRouteTexts();
  if (network === null) return waits ? t.looksUp : null;
  return (
    <>
      {t.ofNetwork(network)} {ported && t.isPorted}
    </>
  );
}

/** The route and the connectors in a sentence. */
function Result({ found: { route, up } }: { readonly found: Found }) {
  const { find: t } = useRouteTexts();
  const over = <NameList names={up} dir="ltr" />;
  const isUp = up.length > 0;
  if (route === null)
    return (
      <>
        {t.noneTakes} {isUp ? t.goesOver : t.waits}
        {isUp && <> {over}.</>}
      </>
    );
  return (
    <>
      {t.takes}{' '}
      <strong>
        <bdi>{labelOf(route)}</bdi>
      </strong>
      {isUp ? (
        <>
          {' '}
          {t.over} {over}.
        </>
      ) : (
        <>. {t.waits}</>
      )}
    </>
  );
}

function FoundConnectors({ found: { connectors } }: { readonly found: Found }) {
  const { find: t } = useRouteTexts();
  const { network } = useOperatorTexts();
  const language = useLanguage();
  const stateOf = (state: string) => (state === 'up' || state === 'free' ? state : 'down');
  return (
    <RowsTable
      caption={t.connectors}
      captionSide="top"
      rows={connectors}
      rowKey={({ connector }) => connector}
      columns={[
        { title: t.connector, rowHeader: true, cell: ({ connector }) => <bdi dir="ltr">{connector}</bdi> },
        {
          title: t.state,
          cell: ({ state }) => (
            <StatusBadge tone={connectorTones[stateOf(state)]}>{network[stateOf(state)]}</StatusBadge>
          ),
        },
        {
          title: t.share,
          align: 'end',
          cell: ({ share }) => <bdi dir="ltr">{percentOf(share, 1, language)}</bdi>,
        },
        {
          title: t.price,
          align: 'end',
          wideOnly: true,
          cell: ({ price }) => (price === null ? '–' : <bdi dir="ltr">{priceText(price, language)}</bdi>),
        },
        {
          title: t.delivered,
          align: 'end',
          cell: ({ quality }) =>
            quality ? <bdi dir="ltr">{percentOf(quality.delivered_percent, 100, language)}</bdi> : '–',
        },
        {
          title: t.used,
          align: 'end',
          wideOnly: true,
          cell: ({ quality }) => {
            const used = quality?.used_percent ?? null;
            return used === null ? '–' : <bdi dir="ltr">{percentOf(used, 100, language)}</bdi>;
          },
        },
      ]}
    />
  );
}

/** The routes that the message does not take, each with the reason. */
function OtherRoutes({
  tried,
  routes,
}: {
  readonly tried: readonly Tried[];
  readonly routes: readonly CarrierRoute[];
}) {
  const { find: t, kindNames } = useRouteTexts();
  const known = new Map(routes.map((route) => [route.name, route]));
  const others = tried.filter(({ why_not: whyNot }) => whyNot !== null);
  if (others.length === 0) return null;
  const reasonOf = ({ name, why_not: whyNot }: Tried) => {
    if (whyNot !== 'kinds') return whyNot && t.reasons[whyNot];
    const kinds = known.get(name)?.kinds ?? [];
    return t.onlyKinds(kinds.map((kind) => kindNames[kind]).join(', '));
  };
  return (
    <RowsTable
      caption={t.others}
      captionSide="top"
      rows={others}
      // A route of the configuration has a row for each prefix.
      rowKey={({ name, prefixes }) => `${name} ${prefixes.join()}`}
      columns={[
        {
          title: t.route,
          rowHeader: true,
          cell: ({ name }) => <RouteName route={known.get(name) ?? { title: '', name }} />,
        },
        { title: t.prefixes, cell: ({ prefixes }) => <PrefixList prefixes={prefixes} /> },
        { title: t.reason, cell: reasonOf },
      ]}
    />
  );
}
