import { CirclePause, CirclePlay, Coins, LogIn, Tags } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import { ActionMenu } from '../../components/action-menu.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { useActFor } from '../../components/use-act-for.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ACCOUNT, ACCOUNTS, type Account } from './account.tsx';
import { CreditForm } from './add-credit.tsx';
import { useOperatorTexts } from './texts.ts';

/** Operator's actions on an account. */
export function AccountActions({ account }: { readonly account: Account }) {
  const { common } = useTexts();
  const { accounts: t } = useOperatorTexts();
  const { id, username, name, suspended } = account;
  const done = useDone();
  const attempt = useAttempt();
  const actFor = useActFor();
  const { open, ask } = useDialogs();
  const path = byId(id);
  async function lift() {
    await attempt(async () => {
      await client.POST('/v1/operator/accounts/{id}/lift', path);
      await done(t.lifted(name), ACCOUNTS, ACCOUNT);
    });
  }
  const suspend = () =>
    ask({
      title: t.suspendTitle(name),
      text: t.suspendText,
      action: t.suspend,
      keep: common.keeps.active,
      run: async () => {
        await client.POST('/v1/operator/accounts/{id}/suspend', path);
        await done(t.suspendedNow(name), ACCOUNTS, ACCOUNT);
      },
    });
  return (
    <ActionMenu
      label={t.actions(name)}
      entries={[
        {
          icon: LogIn,
          mirrored: true,
          label: t.actFor,
          onClick: () => void actFor({ id, username, name }),
        },
        {
          icon: Coins,
          label: t.addCredit,
          onClick: () => open(t.creditTitle(name), <CreditForm account={account} />),
        },
        { icon: Tags, mirrored: true, label: t.prices, href: `/operator/prices?account=${id}` },
        'divider',
        suspended
          ? { icon: CirclePlay, label: t.lift, onClick: () => void lift() }
          : { icon: CirclePause, label: t.suspend, danger: true, onClick: suspend },
      ]}
    />
  );
}
