import { Building2 } from 'lucide-react';
import { useSession } from '../api/session-context.ts';
import { Action } from '../components/action.tsx';
import { lazyMenu } from '../components/lazy-menu.tsx';
import { useTexts } from '../i18n/use-texts.tsx';

const Opened = lazyMenu(() => import('./account-menu.tsx'));

/** Lets an operator choose the account to act for. */
export function AccountChooser() {
  const { shell } = useTexts();
  const { account } = useSession();
  return (
    <Opened
      button={
        <Action
          icon={Building2}
          variant="default"
          size="xs"
          aria-label={account ? `${shell.chooseAccount}: ${account.username}` : shell.chooseAccount}
        >
          <bdi>{account?.username ?? shell.account}</bdi>
        </Action>
      }
    />
  );
}
