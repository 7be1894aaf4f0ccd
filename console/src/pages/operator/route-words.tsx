import { Stack } from '@mantine/core';
import { Fragment } from 'react';
import { Muted, Named } from '../../components/text.tsx';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { useAccountNames } from './account-select.tsx';
import { type CarrierRoute, priceText } from './connector-data.ts';
import { useRouteTexts } from './route-texts.ts';

/** Longest list that is shown whole. */
const MAX_SHOWN = 3;
/** Entries that are shown of a longer list. */
const SHOWN_OF_MORE = 2;
/** Accounts that are named; of more, only the number is shown. */
const MAX_NAMED_ACCOUNTS = 2;

/** The title of a route with its name, or the name alone, with a note below. */
export function RouteName({
  route: { title, name },
  note,
}: {
  readonly route: Pick<CarrierRoute, 'title' | 'name'>;
  readonly note?: string | undefined;
}) {
  const code = (
    <bdi dir="ltr" className="break-anywhere">
      {name}
    </bdi>
  );
  return title === '' ? <Named name={code}>{note}</Named> : <Named name={<bdi>{title}</bdi>}>{code}</Named>;
}

/** Names with commas between them; a long list is cut. */
export function NameList({
  names,
  dir = 'auto',
}: {
  readonly names: readonly string[];
  /** Direction of each name. */
  readonly dir?: 'auto' | 'ltr';
}) {
  const t = useRouteTexts();
  const shown = names.length > MAX_SHOWN ? names.slice(0, SHOWN_OF_MORE) : names;
  return (
    <>
      {shown.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <bdi dir={dir}>{name}</bdi>
        </Fragment>
      ))}
      {shown.length < names.length && ` ${t.more(names.length - shown.length)}`}
    </>
  );
}

/** Prefixes with +, the first ones of a long list. */
export function PrefixList({ prefixes }: { readonly prefixes: readonly string[] }) {
  const t = useRouteTexts();
  if (prefixes.includes('')) return t.everyNumber;
  return <NameList names={prefixes.map((prefix) => `+${prefix}`)} dir="ltr" />;
}

/** User names of accounts, or how many they are. */
function Accounts({ ids }: { readonly ids: readonly string[] }) {
  const t = useRouteTexts();
  const known = useAccountNames();
  const names = ids.flatMap((id) => known.get(id) ?? []);
  if (ids.length > MAX_NAMED_ACCOUNTS || names.length < ids.length) return t.accountCount(ids.length);
  return (
    <>
      {t.account(names.length)} <NameList names={names} dir="ltr" />
    </>
  );
}

/** The conditions of a route, one a line. */
export function RouteConditions({
  route: { prefixes, accounts, senders, kinds, hours, networks },
}: {
  readonly route: CarrierRoute;
}) {
  const t = useRouteTexts();
  return (
    <Stack gap={2} component="ul" className="plain-list">
      <li>
        <PrefixList prefixes={prefixes} />
      </li>
      {networks && (
        <li>
          {t.network(networks.length)} <NameList names={networks} dir="ltr" />
        </li>
      )}
      {accounts && (
        <li>
          <Accounts ids={accounts} />
        </li>
      )}
      {senders && (
        <li>
          {t.sender(senders.length)} <NameList names={senders} />
        </li>
      )}
      {kinds && <li>{kinds.map((kind) => t.kindNames[kind]).join(', ')}</li>}
      {hours && (
        <li>
          {t.atHours} (<bdi dir="ltr">{hours.zone}</bdi>)
        </li>
      )}
    </Stack>
  );
}

/** The connectors of a route, and how it chooses among them. */
export function RouteConnectors({
  route: { choose, connectors, leave_codes: leaveCodes },
}: {
  readonly route: CarrierRoute;
}) {
  const t = useRouteTexts();
  const language = useLanguage();
  return (
    <Stack gap={2} component="ul" className="plain-list">
      {choose === 'cheapest' && connectors.length > 1 && <li>{t.cheapestFirst}</li>}
      {connectors.map(({ connector, priority, weight, price }) => (
        <li key={connector}>
          <bdi dir="ltr">{connector}</bdi>{' '}
          <Muted span size="xs">
            {choose === 'cheapest' ? t.weightOf(weight) : t.part(priority, weight)}
            {price !== null && `, ${t.priceOf(priceText(price, language))}`}
          </Muted>
        </li>
      ))}
      {leaveCodes.length > 0 && (
        <Muted component="li" size="xs">
          {t.leavesAfter} <NameList names={leaveCodes} dir="ltr" />
        </Muted>
      )}
    </Stack>
  );
}
