/** A line without axes over the whole width, from 0. Its last value is also in the text next to it. */
export function Sparkline({
  values,
  height,
}: {
  readonly values: readonly number[];
  readonly height: number;
}) {
  const top = Math.max(...values, 0);
  const points = values.map((value, index) => {
    const x = values.length > 1 ? (index / (values.length - 1)) * 100 : 0;
    // 1 from each edge, so that the stroke is not cut off.
    const y = height - 1 - (top > 0 ? value / top : 0) * (height - 2);
    return `${x},${y}`;
  });
  return (
    <svg
      display="block"
      width="100%"
      height={height}
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <polygon
        points={`0,${height} ${points.join(' ')} 100,${height}`}
        fill="var(--ink-3)"
        fillOpacity={0.25}
      />
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--ink-3)"
        strokeWidth={2}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
