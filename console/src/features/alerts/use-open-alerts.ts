import { useAnswer } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session-context.ts';

const LOOK_MS = 30_000;
const options = { refetchInterval: LOOK_MS, staleTime: LOOK_MS / 2 };

/** Number of open alerts of the account; 0 for people who may not see them. */
export function useOpenAlerts(): number {
  const { account } = useSession();
  const enabled = useMay('viewer') && account !== null;
  return useAnswer('/v1/alerts/open', {}, { ...options, enabled }).data?.open ?? 0;
}

/** Number of open alerts of the installation; 0 for others than operators. */
export function useOpenOperatorAlerts(): number {
  const enabled = useMay('operator');
  return useAnswer('/v1/operator/alerts/open', {}, { ...options, enabled }).data?.open ?? 0;
}
