import { ActionIcon, Group } from '@mantine/core';
import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { Count } from '../../components/values.tsx';
import { type CarrierRoute, CONNECTORS, labelOf, ROUTES } from './connector-data.ts';
import { RouteForm } from './route-form.tsx';
import { useRouteTexts } from './route-texts.ts';
import { RouteConditions, RouteConnectors, RouteName } from './route-words.tsx';
import { useOperatorTexts } from './texts.ts';

/** Opacity of a button that does nothing here. */
const FADED = 0.35;

/** Routes in their order; those of the configuration cannot be changed here. */
export function RouteTable({
  routes,
  names,
}: {
  readonly routes: readonly CarrierRoute[];
  /** Connectors that a route may have. */
  readonly names: readonly string[];
}) {
  const t = useRouteTexts();
  const { connectors } = useOperatorTexts();
  const added = routes.filter(({ id }) => id !== null);
  const placeOf = (route: CarrierRoute) => added.indexOf(route);
  return (
    <RowsTable
      caption={t.title}
      horizontalSpacing="sm"
      rows={routes}
      rowKey={(route) => route.name}
      columns={[
        {
          title: t.order,
          align: 'end',
          width: 1,
          wideOnly: true,
          cell: (route) => (route.id === null ? '–' : <Count value={placeOf(route) + 1} />),
        },
        {
          title: t.route,
          rowHeader: true,
          cell: (route) => (
            <RouteName route={route} note={route.id === null ? connectors.configured : undefined} />
          ),
        },
        { title: t.when, cell: (route) => <RouteConditions route={route} /> },
        { title: t.over, cell: (route) => <RouteConnectors route={route} /> },
        added.length > 0 && {
          title: t.actions,
          hiddenTitle: true,
          align: 'end',
          cell: (route) =>
            route.id !== null && (
              <Group gap={2} justify="flex-end">
                <MoveButtons route={route} id={route.id} added={added} />
                <ChangeButtons route={route} id={route.id} names={names} />
              </Group>
            ),
        },
      ]}
    />
  );
}

interface RowProps {
  readonly route: CarrierRoute;
  readonly id: string;
}

/** Moves an added route among the others. */
function MoveButtons({ route, id, added }: RowProps & { readonly added: readonly CarrierRoute[] }) {
  const t = useRouteTexts();
  const attempt = useAttempt();
  const done = useDone();
  const label = labelOf(route);
  const place = added.indexOf(route);
  const moveTo = (to: number) =>
    attempt(async () => {
      const others = added.filter((other) => other !== route);
      await client.PATCH('/v1/operator/routes/{id}', {
        ...byId(id),
        body: { before: others[to]?.id ?? null },
      });
      await done(t.moved(label, to + 1), ROUTES);
    });
  const button = (name: string, Icon: typeof ArrowUp, to: number) => {
    const isPossible = to >= 0 && to < added.length;
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={name}
        // A button with `disabled` would lose the focus when its route arrives at the end of the list.
        aria-disabled={!isPossible}
        opacity={isPossible ? 1 : FADED}
        onClick={() => {
          if (isPossible) void moveTo(to);
        }}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    );
  };
  return (
    <>
      {button(t.moveUp(label), ArrowUp, place - 1)}
      {button(t.moveDown(label), ArrowDown, place + 1)}
    </>
  );
}

function ChangeButtons({ route, id, names }: RowProps & { readonly names: readonly string[] }) {
  const t = useRouteTexts();
  const { open, ask } = useDialogs();
  const done = useDone();
  const label = labelOf(route);
  const remove = () =>
    ask({
      title: t.removeTitle(label),
      text: t.removeText,
      action: t.remove,
      keep: t.keep,
      run: async () => {
        await client.DELETE('/v1/operator/routes/{id}', byId(id));
        await done(t.removed, ROUTES, CONNECTORS);
      },
    });
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t.editOne(label)}
        onClick={() => open(t.editOne(label), <RouteForm route={route} names={names} />, { size: 'lg' })}
      >
        <Pencil size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="subtle" color="red" aria-label={t.removeOne(label)} onClick={remove}>
        <Trash2 size={16} aria-hidden />
      </ActionIcon>
    </>
  );
}
