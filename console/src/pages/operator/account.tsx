import type { Answer } from '../../api/operations.ts';
import { StatusBadge } from '../../components/values.tsx';
import { useOperatorTexts } from './texts.ts';

/** An account as operators see it. */
export type Account = Answer<'/v1/operator/accounts'>['accounts'][number];

export const ACCOUNTS = '/v1/operator/accounts';
export const ACCOUNT = '/v1/operator/accounts/{id}';

/** Whether an account may send, and who has stopped it if not. */
export function AccountState({ account }: { readonly account: Account }) {
  const { accounts: t } = useOperatorTexts();
  if (account.suspended) return <StatusBadge tone="bad">{t.suspended}</StatusBadge>;
  if (account.suspended_by_parent) return <StatusBadge tone="warning">{t.suspendedByParent}</StatusBadge>;
  return <StatusBadge tone="good">{t.active}</StatusBadge>;
}
