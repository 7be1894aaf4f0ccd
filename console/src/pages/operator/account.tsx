import type { paths } from '../../api/schema.ts';
import { StatusBadge } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';

/** An account as operators see it. */
export type Account =
  paths['/v1/operator/accounts']['get']['responses'][200]['content']['application/json']['accounts'][number];

export const accountsKey = ['get', '/v1/operator/accounts'] as const;
export const accountKey = ['get', '/v1/operator/accounts/{id}'] as const;

/** Whether an account may send, and who has stopped it if not. */
export function AccountState({ account }: { readonly account: Account }) {
  const { accounts: t } = useTexts().operator;
  if (account.suspended) return <StatusBadge tone="bad">{t.suspended}</StatusBadge>;
  if (account.suspended_by_parent) return <StatusBadge tone="warning">{t.suspendedByParent}</StatusBadge>;
  return <StatusBadge tone="good">{t.active}</StatusBadge>;
}
