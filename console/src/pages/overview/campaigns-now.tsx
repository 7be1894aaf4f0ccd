import { useAnswer } from '../../api/queries.ts';
import { Script } from '../../components/script.ts';
import { Scripted } from '../../components/scripted.tsx';
import { withMoreTexts } from '../../i18n/load-texts.ts';

const ROWS = 20;
const SHOWN = 3;
const REFETCH_MS = 10_000;
const states: ReadonlySet<string> = new Set(['scheduled', 'running', 'paused']);

const card = new Script(withMoreTexts(() => import('../../features/campaigns/under-way.tsx')));

/** The latest campaigns that have not ended. Accounts without such campaigns do not fetch the script. */
export function CampaignsNow() {
  const { data } = useAnswer('/v1/campaigns', { query: { limit: ROWS } }, { refetchInterval: REFETCH_MS });
  const campaigns = data?.campaigns.filter(({ state }) => states.has(state)).slice(0, SHOWN) ?? [];
  if (campaigns.length === 0) return null;
  return <Scripted script={card} props={{ campaigns }} fallback={null} />;
}
