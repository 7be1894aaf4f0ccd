const SIZE = 150;
const THICKNESS = 22;
const RADIUS = (SIZE - THICKNESS) / 2;
/** Space between two parts, in units of a ring of 100. */
const GAP = 0.6;

/** A ring of parts, each with a tooltip of the browser. Give it a text alternative. */
export function RingChart({
  parts,
}: {
  /** `color`: name of a custom property, without `--`. */
  readonly parts: readonly { readonly text: string; readonly value: number; readonly color: string }[];
}) {
  const sum = parts.reduce((all, { value }) => all + value, 0);
  const gap = parts.length > 1 ? GAP : 0;
  let start = 0;
  return (
    <svg display="block" width={SIZE} height={SIZE} viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden>
      {parts.map(({ text, value, color }) => {
        const share = (value / sum) * 100;
        const begin = start;
        start += share;
        return (
          <circle
            key={text}
            cx={SIZE / 2}
            cy={SIZE / 2}
            r={RADIUS}
            fill="none"
            stroke={`var(--${color})`}
            strokeWidth={THICKNESS}
            pathLength={100}
            strokeDasharray={`${Math.max(share - gap, 0.1)} 100`}
            strokeDashoffset={-begin}
            transform={`rotate(-90 ${SIZE / 2} ${SIZE / 2})`}
          >
            <title>{text}</title>
          </circle>
        );
      })}
    </svg>
  );
}
