import { type ReactNode, useState } from 'react';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { ticksUpTo } from './axis-marks.ts';
import './charts.css';

/** One part of every bar. */
interface Series {
  readonly name: string;
  readonly label: string;
  /** Colour of Mantine with its shade: `teal-7`. */
  readonly color: string;
}

interface Bar {
  /** Time below the bar. */
  readonly label: string;
  /** Height of each part, by its series. */
  readonly values: Readonly<Record<string, number>>;
}

/** Labels below the bars on a wide screen; a narrow one shows every other of them. */
const MAX_LABELS = 8;
const digits = { maximumFractionDigits: 2 };

/**
 * Bars over time, stacked by series, with the values of a bar in a tooltip. It takes the width that there is. Give it a text
 * alternative: the chart itself is hidden from screen readers.
 *
 * @param whole for counts
 */
export function BarChart({
  bars,
  series,
  height,
  whole = false,
}: {
  readonly bars: readonly Bar[];
  readonly series: readonly Series[];
  /** In pixels. */
  readonly height: number;
  readonly whole?: boolean;
}) {
  const language = useLanguage();
  const format = (value: number) => value.toLocaleString(language, digits);
  const [active, setActive] = useState<number>();
  const sumOf = ({ values }: Bar) => series.reduce((sum, { name }) => sum + (values[name] ?? 0), 0);
  const ticks = ticksUpTo(Math.max(0, ...bars.map(sumOf)), whole);
  const top = ticks.at(-1)!;
  const every = Math.ceil(bars.length / MAX_LABELS);
  const shown = active === undefined ? undefined : bars[active];
  return (
    <div className="chart" aria-hidden dir="ltr">
      <div className="chart-plot" style={{ height }} onPointerLeave={() => setActive(undefined)}>
        <div className="chart-axis">
          {ticks.map((tick) => (
            <span key={tick} style={{ bottom: `${(tick / top) * 100}%` }}>
              {format(tick)}
            </span>
          ))}
          {/* As wide as the widest mark, so that the axis needs no fixed width. */}
          <span className="chart-axis-width">{format(top)}</span>
        </div>
        <div className="chart-bars">
          {ticks.map((tick) => (
            <div key={tick} className="chart-line" style={{ bottom: `${(tick / top) * 100}%` }} />
          ))}
          {bars.map((bar, index) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: two bars can have the same label
              key={index}
              className="chart-column"
              data-active={active === index || undefined}
              onPointerEnter={() => setActive(index)}
            >
              {series.map(({ name, color }) => (
                <Part key={name} color={color} share={(bar.values[name] ?? 0) / top} />
              ))}
              {index % every === 0 && (
                <span className="chart-label" data-second={(index / every) % 2 === 1 || undefined}>
                  {bar.label}
                </span>
              )}
            </div>
          ))}
          {shown && (
            <div
              className="chart-tooltip"
              data-end={active! >= bars.length / 2 || undefined}
              style={{ left: `${((active! + 0.5) / bars.length) * 100}%` }}
            >
              <strong>{shown.label}</strong>
              {series.map(({ name, label, color }) => (
                <Named key={name} color={color}>
                  {label} <b>{format(shown.values[name] ?? 0)}</b>
                </Named>
              ))}
            </div>
          )}
        </div>
      </div>
      {series.length > 1 && (
        <div className="chart-legend">
          {series.map(({ name, label, color }) => (
            <Named key={name} color={color}>
              {label}
            </Named>
          ))}
        </div>
      )}
    </div>
  );
}

function Part({ color, share }: { readonly color: string; readonly share: number }) {
  if (share <= 0) return null;
  return <div style={{ height: `${share * 100}%`, background: `var(--${color})` }} />;
}

/** A name with the colour of its series. */
function Named({ color, children }: { readonly color: string; readonly children: ReactNode }) {
  return (
    <span className="chart-name" dir="auto">
      <i style={{ background: `var(--${color})` }} />
      {children}
    </span>
  );
}
