import { useAnswer } from '../../api/queries.ts';
import { useTimeZone } from '../../api/session-context.ts';
import { Amount } from '../../components/values.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';

const DAY = 86_400_000;
const DAYS = 7;
const SHOWN_DAYS = 14;
const MAX_DAYS = 730;
const REFETCH_MS = 60_000;

/** The balance (`value`), or for how many days it lasts when as much is spent as in the last seven. */
export function Runway({ value = false }: { readonly value?: boolean }) {
  const { overview: t } = useTexts();
  const language = useLanguage();
  const zone = useTimeZone();
  const from = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 - DAYS * DAY).toISOString();
  const wallet = useAnswer('/v1/wallet', {}, { refetchInterval: REFETCH_MS });
  const week = useAnswer(
    '/v1/overview',
    { query: { from, step: 'day', time_zone: zone } },
    { refetchInterval: REFETCH_MS },
  );
  if (!wallet.data) return null;
  if (value) return <Amount value={Number(wallet.data.balance).toFixed(2)} unit />;
  if (!week.data) return null;
  const daily = week.data.totals.reduce((all, { spent }) => all + Number(spent), 0) / DAYS;
  if (daily <= 0) return t.noSpending;
  const days = Math.floor(Number(wallet.data.balance) / daily);
  return (
    <>
      <span className="runway" aria-hidden>
        {Array.from({ length: SHOWN_DAYS }, (_, day) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a day has nothing but its place
          <i key={day} data-on={day < days || undefined} />
        ))}
      </span>
      <span data-fell={days < DAYS || undefined}>
        {days > MAX_DAYS ? t.runwayLong : t.runway(days, days.toLocaleString(language))}
      </span>
    </>
  );
}
