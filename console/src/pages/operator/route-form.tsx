import {
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  NumberInput,
  Radio,
  Select,
  Stack,
  TagsInput,
  Title,
} from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { Plus } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import { useTimeZone } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { Form, fieldsOf, hintBelow, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { RemoveButton } from '../../components/remove-button.tsx';
import { Muted } from '../../components/text.tsx';
import {
  hoursOf,
  hourValues,
  sameHours,
  useWeekTexts,
  WeekHours,
  type WeekValues,
} from '../../components/week-hours.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { AccountsSelect } from './account-select.tsx';
import { type CarrierRoute, CONNECTORS, messageKinds, ROUTES } from './connector-data.ts';
import { RouteComparison } from './route-comparison.tsx';
import {
  LeaveFields,
  type LeaveValues,
  leaveBodyOf,
  leaveValuesOf,
  MAX_CODES,
  MAX_ENTRY,
} from './route-leave-fields.tsx';
import { useRouteTexts } from './route-texts.ts';

type ConnectorValues = Omit<CarrierRoute['connectors'][number], 'price'> & { price: number | string };

/** Form values: an empty list is a condition that the route does not have. */
interface Values extends Record<string, unknown>, WeekValues, LeaveValues {
  title: string;
  prefixes: string[];
  accounts: string[];
  senders: string[];
  networks: string[];
  kinds: string[];
  /** Whether the hours are a condition. */
  limited: boolean;
  zone: string;
  choose: CarrierRoute['choose'];
  connectors: ConnectorValues[];
}

type RouteFormType = UseFormReturnType<Values>;

const usual = { from: '08:00', to: '20:00' };
const zones = Intl.supportedValuesOf('timeZone');
const SHOWN_ZONES = 50;
const choices = ['priority', 'cheapest'] as const;

/* Limits of the service. */
const MAX_PREFIXES = 1_000;
const MAX_LISTED = 200;
const MAX_SPANS = 6;
const MAX_TITLE = 60;
const MAX_PRICE = 1_000;

/** The service names an entry of a list; one input has all of them. */
const namesOfEntries = (field: string, max: number) =>
  Array.from({ length: max }, (_, at) => [`${field}[${at}]`, field] as const);

const fieldNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries([
    ...namesOfEntries('prefixes', MAX_PREFIXES),
    ...namesOfEntries('accounts', MAX_LISTED),
    ...namesOfEntries('senders', MAX_LISTED),
    ...namesOfEntries('networks', MAX_LISTED),
    ...namesOfEntries('kinds', messageKinds.length),
    ...namesOfEntries('leave_codes', MAX_CODES),
  ]),
  prefix: 'prefixes',
  'hours.zone': 'zone',
  'hours.week': 'limited',
  ...Object.fromEntries(
    Object.keys(hourValues(null, usual)).flatMap((day) =>
      Array.from({ length: MAX_SPANS }, (_, at) => [`hours.week.${day}[${at}]`, `hours.${day}.${at}.to`]),
    ),
  ),
};

const valuesOf = (route: CarrierRoute | undefined, names: readonly string[], zone: string): Values => ({
  title: route?.title ?? '',
  prefixes: route && !route.prefixes.includes('') ? route.prefixes : [],
  accounts: route?.accounts ?? [],
  senders: route?.senders ?? [],
  networks: route?.networks ?? [],
  kinds: route?.kinds ?? [],
  limited: route?.hours != null,
  zone: route?.hours?.zone ?? zone,
  hours: hourValues(route?.hours?.week ?? null, usual),
  closed_dates: [],
  choose: route?.choose ?? 'priority',
  connectors: route?.connectors.map(({ price, ...one }) => ({ ...one, price: price ?? '' })) ?? [
    newConnector(names, []),
  ],
  ...leaveValuesOf(route),
});

/** A connector that the route does not have yet, after the others. */
const newConnector = (names: readonly string[], others: readonly ConnectorValues[]): ConnectorValues => ({
  connector: names.find((name) => others.every(({ connector }) => connector !== name)) ?? names[0] ?? '',
  priority: others.length,
  weight: 1,
  price: '',
});

const digitsOf = (prefix: string) => prefix.replace(/^\+/, '');
const orNull = <T,>(list: readonly T[]) => (list.length === 0 ? null : [...list]);

function bodyOf({
  title,
  prefixes,
  accounts,
  senders,
  networks,
  kinds,
  limited,
  zone,
  hours,
  ...rest
}: Values) {
  const chosen = messageKinds.filter((kind) => kinds.includes(kind));
  return {
    title: title.trim(),
    prefixes: prefixes.length === 0 ? [''] : prefixes.map(digitsOf),
    accounts: orNull(accounts),
    senders: orNull(senders),
    networks: orNull(networks),
    // All kinds are no condition, as none are.
    kinds: chosen.length === messageKinds.length ? null : orNull(chosen),
    hours: limited ? { zone, week: hoursOf(hours) } : null,
    choose: rest.choose,
    connectors: rest.connectors.map(({ connector, priority, weight, price }) => ({
      connector,
      // Its input may be empty while the cheapest connector is chosen and hides it.
      priority: Number(priority),
      weight,
      price: price === '' ? null : Number(price),
    })),
    ...leaveBodyOf(rest),
  };
}

/** Adds a route, or changes one that was added. */
export function RouteForm({
  route,
  names,
}: {
  readonly route?: CarrierRoute;
  /** Connectors that it may have. */
  readonly names: readonly string[];
}) {
  const t = useRouteTexts();
  const { common } = useTexts();
  const { same } = useWeekTexts();
  const done = useDone();
  const zone = useTimeZone();
  const form = useForm<Values>({
    initialValues: valuesOf(route, names, zone),
    validate: ({ prefixes, networks, limited, hours }) => {
      const wrong = prefixes.find((prefix) => !/^\d{1,15}$/.test(digitsOf(prefix)));
      const noNetwork = networks.find((network) => !/^\d{3}(?:-\d{2,3})?$/.test(network));
      const isClosed = Object.values(hours).every((spans) => spans.length === 0);
      return {
        ...(wrong !== undefined && { prefixes: t.form.badPrefix(wrong) }),
        ...(noNetwork !== undefined && { networks: t.form.badNetwork(noNetwork) }),
        ...(limited && isClosed && { limited: common.errors.reasons['no-hours']({}) }),
        ...(limited && sameHours(hours, same)),
      };
    },
  });
  const submission = useSubmission(
    form,
    async (values) => {
      const body = bodyOf(values);
      if (route) await client.PATCH('/v1/operator/routes/{id}', { ...byId(route.id!), body });
      else await client.POST(ROUTES, { body });
      await done(route ? t.changed : t.added, ROUTES, CONNECTORS);
    },
    fieldNames,
  );
  return (
    <Form submission={submission} action={route ? common.save : t.add}>
      {fieldsOf(form).text('title', t.form.title, {
        hint: t.form.titleHint,
        maxLength: MAX_TITLE,
        written: true,
        focus: true,
      })}
      <Conditions form={form} />
      <Connectors form={form} names={names} />
      <LeaveFields form={form} />
      <RouteComparison
        changed={route}
        body={bodyOf(form.values)}
        isValid={() => !form.validate().hasErrors}
      />
    </Form>
  );
}

interface PartProps {
  readonly form: RouteFormType;
}

/** Which messages take the route. */
function Conditions({ form }: PartProps) {
  const { form: t, kindNames } = useRouteTexts();
  const list = { ...hintBelow, dir: 'ltr', splitChars: [',', ';', '\n'] };
  return (
    <>
      <div>
        <Title order={3} size="h5">
          {t.conditions}
        </Title>
        <Muted size="xs">{t.conditionsHint}</Muted>
      </div>
      <TagsInput
        label={t.prefixes}
        description={t.prefixesHint}
        inputMode="tel"
        maxTags={MAX_PREFIXES}
        {...list}
        splitChars={[',', ';', ' ', '\n']}
        {...form.getInputProps('prefixes')}
      />
      <TagsInput
        label={t.networks}
        description={t.networksHint}
        inputMode="tel"
        maxTags={MAX_LISTED}
        {...list}
        splitChars={[',', ';', ' ', '\n']}
        {...form.getInputProps('networks')}
      />
      <AccountsSelect label={t.accounts} {...form.getInputProps('accounts')} maxValues={MAX_LISTED} />
      <TagsInput
        label={t.senders}
        description={t.sendersHint}
        maxTags={MAX_LISTED}
        maxLength={MAX_ENTRY}
        {...list}
        {...form.getInputProps('senders')}
      />
      <Checkbox.Group label={t.kinds} {...form.getInputProps('kinds')}>
        <Stack gap="xs" mt="xs">
          {messageKinds.map((kind) => (
            <Checkbox key={kind} value={kind} label={kindNames[kind]} description={t.kindHints[kind]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Hours form={form} />
    </>
  );
}

function Hours({ form }: PartProps) {
  const { form: t } = useRouteTexts();
  const { limited, zone } = form.values;
  return (
    <>
      {fieldsOf(form).toggle('limited', t.limited, t.limitedHint)}
      {limited && (
        <>
          <Select
            label={t.zone}
            // Browsers leave out names that are another zone's, as UTC.
            data={zones.includes(zone) ? zones : [zone, ...zones]}
            limit={SHOWN_ZONES}
            searchable
            allowDeselect={false}
            dir="ltr"
            {...form.getInputProps('zone')}
          />
          <WeekHours form={form} usual={usual} />
        </>
      )}
    </>
  );
}

/** Connectors of the route, and how it chooses among them. */
function Connectors({ form, names }: PartProps & { readonly names: readonly string[] }) {
  const { form: t } = useRouteTexts();
  const { connectors } = form.values;
  return (
    <>
      <Title order={3} size="h5">
        {t.connectors}
      </Title>
      <Radio.Group label={t.choose} {...form.getInputProps('choose')}>
        <Stack gap="xs" mt="xs">
          {choices.map((choice) => (
            <Radio
              key={choice}
              value={choice}
              label={t.choices[choice]}
              description={t.choiceHints[choice]}
            />
          ))}
        </Stack>
      </Radio.Group>
      {connectors.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a field of the form
        <ConnectorFields key={at} form={form} at={at} names={names} />
      ))}
      <Muted size="xs">{t.priceHint}</Muted>
      <div>
        <Action
          icon={Plus}
          size="xs"
          variant="light"
          disabled={connectors.length >= names.length}
          onClick={() => form.insertListItem('connectors', newConnector(names, connectors))}
        >
          {t.another}
        </Action>
      </div>
    </>
  );
}

function ConnectorFields({
  form,
  at,
  names,
}: PartProps & { readonly at: number; readonly names: readonly string[] }) {
  const { form: t } = useRouteTexts();
  const { choose, connectors } = form.values;
  const path = `connectors.${at}`;
  const whole = { w: 90, max: 1_000, allowDecimal: false, required: true, withAsterisk: false };
  return (
    <Fieldset legend={t.connectorOf(at + 1)} p="sm">
      <Group align="flex-start" gap="xs">
        <NativeSelect label={t.connector} data={[...names]} {...form.getInputProps(`${path}.connector`)} />
        {choose === 'priority' && (
          <NumberInput label={t.priority} min={0} {...whole} {...form.getInputProps(`${path}.priority`)} />
        )}
        <NumberInput label={t.weight} min={1} {...whole} {...form.getInputProps(`${path}.weight`)} />
        <NumberInput
          label={t.price}
          w={110}
          min={0}
          max={MAX_PRICE}
          allowNegative={false}
          hideControls
          {...form.getInputProps(`${path}.price`)}
        />
        {connectors.length > 1 && (
          <RemoveButton
            size="lg"
            mt="lg"
            label={t.takeOut(at + 1)}
            onClick={() => form.removeListItem('connectors', at)}
          />
        )}
      </Group>
    </Fieldset>
  );
}
