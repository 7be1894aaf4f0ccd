import { Sparkline } from '@mantine/charts';
import '@mantine/charts/styles.css';

/** Line chart of rates; the number next to it has the same value for screen readers. */
export default function RateChart({ rates }: { readonly rates: readonly number[] }) {
  return (
    <Sparkline
      w="100%"
      h={44}
      data={[...rates]}
      color="petrol.5"
      fillOpacity={0.25}
      strokeWidth={2}
      curveType="monotone"
      areaProps={{ isAnimationActive: false }}
    />
  );
}
