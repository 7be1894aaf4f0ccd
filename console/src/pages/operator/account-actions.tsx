import { CirclePause, CirclePlay, Coins, LogIn, Tags } from 'lucide-react';
import { useState } from 'react';
import { byId, client } from '../../api/client.ts';
import { useActFor } from '../../api/use-act-for.ts';
import { ActionMenu } from '../../components/action-menu.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { ACCOUNT, ACCOUNTS, type Account } from './account.tsx';
import { AddCredit } from './add-credit.tsx';

/** What an operator does with an account. */
export function AccountActions({ account }: { readonly account: Account }) {
  const { accounts: t } = useTexts().operator;
  const { id, username, name, suspended, time_zone } = account;
  const done = useDone();
  const attempt = useAttempt();
  const actFor = useActFor();
  const [opened, setOpened] = useState<'credit' | 'suspend'>();
  const close = () => setOpened(undefined);
  const path = byId(id);
  async function lift() {
    await attempt(async () => {
      await client.POST('/v1/operator/accounts/{id}/lift', path);
      await done(t.lifted(name), ACCOUNTS, ACCOUNT);
    });
  }
  return (
    <>
      <ActionMenu
        label={t.actions(name)}
        entries={[
          {
            icon: LogIn,
            mirrored: true,
            label: t.actFor,
            onClick: () => void actFor({ id, username, name, time_zone }),
          },
          { icon: Coins, label: t.addCredit, onClick: () => setOpened('credit') },
          { icon: Tags, mirrored: true, label: t.prices, href: `/operator/prices?account=${id}` },
          'divider',
          suspended
            ? { icon: CirclePlay, label: t.lift, onClick: () => void lift() }
            : { icon: CirclePause, label: t.suspend, danger: true, onClick: () => setOpened('suspend') },
        ]}
      />
      <AddCredit account={opened === 'credit' ? account : undefined} onClose={close} />
      <Confirm
        opened={opened === 'suspend'}
        onClose={close}
        title={t.suspendTitle(name)}
        action={t.suspend}
        danger
        onConfirm={async () => {
          await client.POST('/v1/operator/accounts/{id}/suspend', path);
          await done(t.suspendedNow(name), ACCOUNTS, ACCOUNT);
        }}
      >
        {t.suspendText}
      </Confirm>
    </>
  );
}
