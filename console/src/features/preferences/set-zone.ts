import { client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { sessionKey } from '../../api/session.ts';
import { useAttempt } from '../../components/notify.ts';

/** Changes the zone of the account, or that in which the person sees times. */
export function useSetZone() {
  const refresh = useRefresh();
  const attempt = useAttempt();
  return (whose: 'account' | 'own', zone: string | null) =>
    attempt(async () => {
      const body = { time_zone: zone };
      if (whose === 'account') await client.PATCH('/v1/account', { body });
      else await client.PATCH('/v1/session', { body });
      await refresh(sessionKey, '/v1/account', '/v1/overview');
    });
}
