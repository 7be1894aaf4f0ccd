import { TrendingDown, TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Sparkline } from '../../components/charts/sparkline.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import './traffic.css';

const TREND_HEIGHT_PX = 28;

/** A figure of the strip above a page, with a note below. */
export function FigureTile({
  name,
  trend,
  hint,
  children,
}: {
  readonly name: string;
  /** Its course over the period. */
  readonly trend?: readonly number[];
  readonly hint: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="tile" aria-label={name}>
      <span className="tile-name">{name}</span>
      <span className="tile-value">
        {children}
        {trend && trend.length > 1 && (
          <span className="tile-trend">
            <Sparkline values={trend} height={TREND_HEIGHT_PX} />
          </span>
        )}
      </span>
      <span className="tile-hint">{hint}</span>
    </section>
  );
}

/** Less than this share of before is pointed at. */
const FELL = -0.2;

/**
 * Difference to the figure of `weeks` weeks earlier; nothing while that figure is missing.
 *
 * @param wanted whether more is better, so that a decrease is highlighted
 */
export function Change({
  now,
  before,
  weeks,
  wanted = false,
}: {
  readonly now: number;
  readonly before: number | undefined;
  readonly weeks: number;
  readonly wanted?: boolean;
}) {
  const { overview: t } = useTexts();
  const language = useLanguage();
  if (before === undefined) return null;
  if (before === 0) return t.nothingBefore(weeks);
  const share = now / before - 1;
  const text = share.toLocaleString(language, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 0,
  });
  const Icon = share < 0 ? TrendingDown : TrendingUp;
  return (
    <span data-fell={(wanted && share < FELL) || undefined}>
      <Icon size={14} aria-hidden className="change-icon" /> {t.change(`\u2066${text}\u2069`, weeks)}
    </span>
  );
}

/** Fall of a delivery rate from which it is highlighted (2 percentage points). */
const RATE_FELL = -0.02;

/** Difference between a share (0 to 1) and the share of `weeks` weeks earlier, in percentage points. */
export function Points({
  now,
  before,
  weeks,
}: {
  readonly now: number;
  readonly before: number;
  readonly weeks: number;
}) {
  const { overview: t } = useTexts();
  const language = useLanguage();
  const text = ((now - before) * 100).toLocaleString(language, {
    signDisplay: 'exceptZero',
    maximumFractionDigits: 1,
  });
  return (
    <span data-fell={now - before <= RATE_FELL || undefined}>{t.points(`\u2066${text}\u2069`, weeks)}</span>
  );
}
