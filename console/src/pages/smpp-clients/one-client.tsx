import { Group, SimpleGrid } from '@mantine/core';
import { KeyRound, Pencil, Trash2, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
import { byId, client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Facts } from '../../components/facts.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Tile } from '../../components/text.tsx';
import { Count, Time } from '../../components/values.tsx';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { EditClient, RotatePassword } from './edit-client.tsx';
import {
  CLIENT,
  CLIENTS,
  ClientState,
  countOf,
  REFRESH_MS,
  type SmppClient,
  useRate,
} from './smpp-client.tsx';
import { useSmppTexts } from './texts.ts';

/** An SMPP client: its binds, its rate, and its settings. */
export default function OneClient() {
  const { id } = useParams<{ id: string }>();
  const query = useAnswer(CLIENT, byId(id), { refetchInterval: REFRESH_MS });
  return <Fetched query={query}>{(found) => <Shown of={found} at={query.dataUpdatedAt} />}</Fetched>;
}

function Shown({ of, at }: { readonly of: SmppClient; readonly at: number }) {
  const language = useLanguage();
  const t = useSmppTexts();
  const rate = useRate(of, at);
  return (
    <Page
      back="/smpp-clients"
      title={of.name}
      lead={
        <Group gap="xs" component="span">
          <ClientState client={of} />
          <bdi dir="ltr">{of.system_id}</bdi>
        </Group>
      }
      actions={<Actions of={of} />}
    >
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        <Tile label={t.binds} size="md">
          {t.bindsOf(of.binds.length.toLocaleString(language), of.max_binds.toLocaleString(language))}
        </Tile>
        <Tile label={t.rate} size="md">
          <Count value={Math.round(rate)} />
        </Tile>
        <Tile label={t.accepted} size="md">
          <Count value={countOf(of, 'accepted')} />
        </Tile>
        <Tile label={t.refused} size="md">
          <Count value={countOf(of, 'refused')} />
        </Tile>
      </SimpleGrid>
      <Card title={t.binds}>
        <RowsTable
          caption={t.binds}
          rows={of.binds}
          rowKey={(bind) => bind.id}
          empty={t.noBinds}
          columns={[
            { title: t.mode, cell: (bind) => t.modes[bind.mode], rowHeader: true },
            {
              title: t.address,
              cell: (bind) => (
                <>
                  <bdi dir="ltr">{bind.address}</bdi> · {bind.secure ? t.encrypted : t.plain}
                </>
              ),
            },
            { title: t.boundAt, cell: (bind) => <Time at={bind.bound_at} />, wideOnly: true },
            { title: t.accepted, align: 'end', cell: (bind) => <Count value={bind.accepted} /> },
            {
              title: t.refused,
              align: 'end',
              cell: (bind) => <Count value={bind.refused} />,
              wideOnly: true,
            },
            {
              title: t.lastError,
              cell: (bind) => <bdi dir="ltr">{bind.last_error === '' ? '–' : bind.last_error}</bdi>,
              wideOnly: true,
            },
          ]}
        />
      </Card>
      <Settings of={of} />
    </Page>
  );
}

/** Actions of the owner on a client. */
function Actions({ of }: { readonly of: SmppClient }) {
  const t = useSmppTexts();
  const done = useDone();
  const [, navigate] = useLocation();
  const { open, ask } = useDialogs();
  const { id } = of;
  if (!useMay('owner')) return null;
  const disconnect = () =>
    ask({
      title: t.disconnectTitle,
      text: t.disconnectText,
      action: t.disconnect,
      run: async () => {
        await client.POST('/v1/smpp-clients/{id}/disconnect', byId(id));
        await done(t.disconnected, CLIENT, CLIENTS);
      },
    });
  const remove = () =>
    ask({
      title: t.removeTitle(of.name),
      text: t.removeText,
      action: t.remove,
      keep: t.keep,
      run: async () => {
        await client.DELETE(CLIENT, byId(id));
        await done(t.removed, CLIENTS);
        navigate('/smpp-clients');
      },
    });
  const edit = () => open(t.editTitle, <EditClient of={of} />, { size: 'lg' });
  return (
    <>
      <Action icon={Pencil} variant="default" onClick={edit}>
        {t.edit}
      </Action>
      <Action
        icon={KeyRound}
        variant="default"
        onClick={() => open(t.rotateTitle, <RotatePassword id={id} />)}
      >
        {t.rotate}
      </Action>
      {of.binds.length > 0 && (
        <Action icon={Unplug} variant="default" onClick={disconnect}>
          {t.disconnect}
        </Action>
      )}
      <Action icon={Trash2} variant="light" color="red" onClick={remove}>
        {t.remove}
      </Action>
    </>
  );
}

/** The settings of a client, to read. */
function Settings({ of }: { readonly of: SmppClient }) {
  const t = useSmppTexts();
  const yes = (is: boolean) => (is ? t.yes : t.no);
  const all = (values: readonly string[], none: string): ReactNode =>
    values.length === 0 ? none : <bdi dir="ltr">{values.join(', ')}</bdi>;
  return (
    <Card title={t.settings}>
      <Facts
        rows={[
          [t.enabled, yes(of.enabled)],
          [t.tls, yes(of.tls_required)],
          [t.networks, all(of.addresses, t.anyNetwork)],
          [t.sources, all(of.sources, t.anySource)],
          [
            t.defaultSource,
            of.default_source === null ? t.noDefaultSource : <bdi key="source">{of.default_source}</bdi>,
          ],
          [t.international, yes(of.international)],
          [t.incoming, yes(of.incoming)],
          [t.maxBinds, <Count key="binds" value={of.max_binds} />],
          [t.window, <Count key="window" value={of.window} />],
          [
            t.perSecond,
            of.messages_per_second === 0 ? t.noLimit : <Count key="rate" value={of.messages_per_second} />,
          ],
          [t.alphabet, t.alphabets[of.default_alphabet]],
        ]}
      />
    </Card>
  );
}
