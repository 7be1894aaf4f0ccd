import { ActionIcon, Fieldset, Group, NativeSelect, NumberInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Pencil, Plus, Trash2, X } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import { Action } from '../../components/action.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type CarrierRoute, CONNECTORS, ROUTES } from './connector-data.ts';
import { useOperatorTexts } from './texts.ts';

/** Routes with their connectors; those of the configuration cannot be changed here. */
export function RouteTable({
  routes,
  names,
}: {
  readonly routes: readonly CarrierRoute[];
  /** Connectors that a route may have. */
  readonly names: readonly string[];
}) {
  const { connectors: t } = useOperatorTexts();
  const { open, ask } = useDialogs();
  const done = useDone();
  const remove = (id: string, name: string) =>
    ask({
      title: t.removeRouteTitle(name),
      text: t.removeRouteText,
      action: t.removeRoute,
      keep: t.keepRoute,
      run: async () => {
        await client.DELETE('/v1/operator/routes/{id}', byId(id));
        await done(t.routeRemoved, ROUTES, CONNECTORS);
      },
    });
  return (
    <RowsTable
      caption={t.routes}
      horizontalSpacing="md"
      rows={routes}
      rowKey={(route) => route.name}
      columns={[
        { title: t.prefix, rowHeader: true, cell: (route) => <Prefixes prefixes={route.prefixes} /> },
        { title: t.connectors, cell: (route) => <RouteConnectors route={route} /> },
        {
          title: t.routeActions,
          hiddenTitle: true,
          align: 'end',
          cell: (route) =>
            route.id === null ? (
              <Muted size="xs">{t.configured}</Muted>
            ) : (
              <Group gap={2} justify="flex-end" wrap="nowrap">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t.editOne(route.name)}
                  onClick={() => open(t.editOne(route.name), <RouteForm route={route} names={names} />)}
                >
                  <Pencil size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="red"
                  aria-label={t.removeOne(route.name)}
                  onClick={() => remove(route.id!, route.name)}
                >
                  <Trash2 size={16} />
                </ActionIcon>
              </Group>
            ),
        },
      ]}
    />
  );
}

function Prefixes({ prefixes }: { readonly prefixes: readonly string[] }) {
  const { connectors: t } = useOperatorTexts();
  const digits = prefixes.filter((prefix) => prefix !== '').map((prefix) => `+${prefix}`);
  if (digits.length < prefixes.length) return t.everyNumber;
  return <bdi dir="ltr">{digits.join(', ')}</bdi>;
}

function RouteConnectors({ route }: { readonly route: CarrierRoute }) {
  const { connectors: t } = useOperatorTexts();
  return (
    <Stack gap={2} component="ul" className="plain-list">
      {route.connectors.map(({ connector, priority, weight }) => (
        <li key={connector}>
          <bdi dir="ltr">{connector}</bdi>{' '}
          <Muted span size="xs">
            {t.part(priority, weight)}
          </Muted>
        </li>
      ))}
    </Stack>
  );
}

/** Adds a route, or changes the connectors of one. */
export function RouteForm({
  route,
  names,
}: {
  readonly route?: CarrierRoute;
  readonly names: readonly string[];
}) {
  const operator = useOperatorTexts();
  const { common } = useTexts();
  const { connectors: t } = operator;
  const done = useDone();
  const one = { connector: names[0] ?? '', priority: 0, weight: 1 };
  const form = useForm({
    initialValues: {
      prefix: route?.prefixes[0] ?? '',
      connectors: route ? route.connectors.map((connector) => ({ ...connector })) : [one],
    },
  });
  const submission = useSubmission(form, async ({ prefix, connectors }) => {
    if (route) await client.PATCH('/v1/operator/routes/{id}', { ...byId(route.id!), body: { connectors } });
    else await client.POST(ROUTES, { body: { prefix: prefix.replace(/^\+/, '').trim(), connectors } });
    await done(route ? t.routeChanged : t.routeAdded, ROUTES, CONNECTORS);
  });
  const { connectors } = form.getValues();
  return (
    <Form submission={submission} action={route ? common.save : t.addRoute}>
      {fieldsOf(form).text('prefix', t.prefix, {
        hint: t.prefixHint,
        inputMode: 'tel',
        disabled: route !== undefined,
      })}
      {connectors.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position identifies a field of the form
        <Fieldset key={at} legend={t.connectorOf(at + 1)} p="sm">
          <Group align="flex-end" gap="xs">
            <NativeSelect
              label={t.connector}
              data={[...names]}
              {...form.getInputProps(`connectors.${at}.connector`)}
            />
            <NumberInput
              label={t.priority}
              w={90}
              min={0}
              max={1_000}
              allowDecimal={false}
              {...form.getInputProps(`connectors.${at}.priority`)}
            />
            <NumberInput
              label={t.weight}
              w={90}
              min={1}
              max={1_000}
              allowDecimal={false}
              {...form.getInputProps(`connectors.${at}.weight`)}
            />
            {connectors.length > 1 && (
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t.takeOut(at + 1)}
                onClick={() => form.removeListItem('connectors', at)}
              >
                <X size={16} />
              </ActionIcon>
            )}
          </Group>
        </Fieldset>
      ))}
      <Muted size="xs">{t.sharing}</Muted>
      <div>
        <Action
          icon={Plus}
          size="xs"
          variant="light"
          onClick={() => form.insertListItem('connectors', { ...one, priority: connectors.length })}
        >
          {t.another}
        </Action>
      </div>
    </Form>
  );
}
