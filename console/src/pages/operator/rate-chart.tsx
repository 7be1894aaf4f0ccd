import { Sparkline } from '@mantine/charts';
import '@mantine/charts/styles.css';

/** A line of rates, for those who see it; the number stands beside it. */
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
