import { RowsTable } from '../../components/data-table.tsx';
import { Muted, Named } from '../../components/text.tsx';
import { Address, Phone, StatusBadge, Time } from '../../components/values.tsx';
import type { Notification } from './alert-scope.ts';
import { useAlertTexts } from './texts.ts';

const tones = { waiting: 'warning', sent: 'good', failed: 'bad' } as const;

/** Notifications with their status and the reason of each failure. `empty` is shown when an alert had no recipients. */
export function Notifications({
  rows,
  empty,
}: {
  readonly rows: readonly Notification[];
  readonly empty: string;
}) {
  const t = useAlertTexts();
  return (
    <RowsTable
      caption={t.detailsTitle}
      rows={rows}
      rowKey={({ created_at, means, recipient, phase }) => `${created_at} ${phase} ${means} ${recipient}`}
      columns={[
        {
          title: t.recipient,
          cell: ({ means, recipient, phase }) => (
            <Named name={<Recipient means={means} recipient={recipient} />}>
              {t.phases[phase]} · {t.means[means]}
            </Named>
          ),
        },
        {
          title: t.state,
          cell: ({ state, problem }) => (
            <>
              <StatusBadge tone={tones[state]}>{t.states[state]}</StatusBadge>
              {problem !== null && <Muted>{t.problems[problem]}</Muted>}
            </>
          ),
        },
        {
          title: t.since,
          wideOnly: true,
          cell: ({ settled_at, created_at }) => <Time at={settled_at ?? created_at} />,
        },
      ]}
      empty={empty}
    />
  );
}

function Recipient({ means, recipient }: Pick<Notification, 'means' | 'recipient'>) {
  const t = useAlertTexts();
  if (means === 'webhook') return t.webhooks;
  return means === 'sms' ? <Phone number={recipient} /> : <Address url={recipient} />;
}
