import { Alert } from '@mantine/core';
import { Plus, Server } from 'lucide-react';
import type { Answer } from '../../api/operations.ts';
import { onePage } from '../../api/paging.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Page } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import { Muted, Named } from '../../components/text.tsx';
import { Count } from '../../components/values.tsx';
import { AddClient } from './add-client.tsx';
import { CLIENTS, ClientState, countOf, REFRESH_MS } from './smpp-client.tsx';
import { useSmppTexts } from './texts.ts';

/** The programs that may bind to the SMPP server, and how they are bound. */
export default function SmppClients() {
  const t = useSmppTexts();
  const mayChange = useMay('owner');
  const { open } = useDialogs();
  const query = useAnswer(CLIENTS, {}, { refetchInterval: REFRESH_MS });
  const add = mayChange && (
    <Action icon={Plus} onClick={() => open(t.add, <AddClient />, { size: 'lg' })}>
      {t.add}
    </Action>
  );
  return (
    <Page lead={t.lead} actions={add}>
      {query.data && <ServerNote server={query.data.server} />}
      <DataTable
        pages={onePage(query, query.data?.clients)}
        rowKey={(row) => row.id}
        columns={[
          {
            title: t.name,
            cell: (row) => (
              <Named href={`/smpp-clients/${row.id}`} name={<bdi>{row.name}</bdi>}>
                <bdi dir="ltr">{row.system_id}</bdi>
              </Named>
            ),
          },
          { title: t.state, cell: (row) => <ClientState client={row} /> },
          {
            title: t.binds,
            align: 'end',
            cell: (row) => <Count value={row.binds.length} />,
          },
          {
            title: t.accepted,
            align: 'end',
            cell: (row) => <Count value={countOf(row, 'accepted')} />,
            wideOnly: true,
          },
          {
            title: t.refused,
            align: 'end',
            cell: (row) => <Count value={countOf(row, 'refused')} />,
            wideOnly: true,
          },
        ]}
        empty={<Empty icon={Server} title={t.none} action={add} hint={t.noneHint} />}
      />
    </Page>
  );
}

/** The ports of the server, or that it is off. */
function ServerNote({ server }: { readonly server: Answer<typeof CLIENTS>['server'] }) {
  const t = useSmppTexts();
  const ports = [
    [t.port, server.port],
    [t.tlsPort, server.tls_port],
  ].flatMap(([label, port]) => (port === null ? [] : [`${label} ${port}`]));
  if (ports.length === 0)
    return (
      <Alert role="note" color="orange">
        {t.serverOff}
      </Alert>
    );
  return (
    <Muted>
      {t.server}: {ports.join(' · ')}
    </Muted>
  );
}
