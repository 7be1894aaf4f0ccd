import { useAnswer } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session-context.ts';

const LOOK_MS = 30_000;
const options = { refetchInterval: LOOK_MS, staleTime: LOOK_MS / 2 };

/** How many alerts are open, by the page that shows them; for those who may open it. */
export function useOpenAlerts(): Readonly<Record<string, number>> {
  const { account } = useSession();
  const views = useMay('viewer');
  const operates = useMay('operator');
  const own = useAnswer('/v1/alerts/open', {}, { ...options, enabled: views && account !== null });
  const general = useAnswer('/v1/operator/alerts/open', {}, { ...options, enabled: operates });
  return { '/alerts': own.data?.open ?? 0, '/operator/alerts': general.data?.open ?? 0 };
}
