/* Parts of Grafana dashboards, in the JSON model that Grafana 11 and later read from files. */

/** How the values of a panel are shown. */
type Unit = 'short' | 'cps' | 's' | 'bytes' | 'percentunit' | 'reqps' | 'none';

/** One line of a panel, or one for each combination of labels: a PromQL expression, and its name in the legend. */
export type Query = readonly [expression: string, legend: string];

interface PanelOptions {
  readonly title: string;
  /** Meaning of the panel and what to watch for; shown as a tooltip of the title. */
  readonly description: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** `stat`: the last value, large. */
  readonly type?: 'timeseries' | 'stat';
  readonly stacked?: boolean;
}

interface DashboardOptions {
  /** Part of its address, so it must not change. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly panels: readonly PanelOptions[];
}

const DATASOURCE = { type: 'prometheus', uid: '$datasource' };
const COLUMNS = 24;
const WIDTHS = { timeseries: 12, stat: 6 };
const HEIGHTS = { timeseries: 8, stat: 4 };

/** A dashboard as Grafana reads it from a file: panels from left to right, then in the next row. */
export function dashboard({ uid, title, description, panels }: DashboardOptions) {
  let x = 0;
  let y = 0;
  let rowHeight = 0;
  return {
    uid,
    title: `Carillon: ${title}`,
    description,
    tags: ['carillon'],
    timezone: 'browser',
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    schemaVersion: 39,
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    links: [
      {
        title: 'Carillon',
        type: 'dashboards',
        tags: ['carillon'],
        asDropdown: true,
        includeVars: true,
        keepTime: true,
      },
    ],
    panels: panels.map((options, index) => {
      const type = options.type ?? 'timeseries';
      const w = WIDTHS[type];
      const h = HEIGHTS[type];
      if (x + w > COLUMNS || (x > 0 && h !== rowHeight)) {
        y += rowHeight;
        x = 0;
      }
      rowHeight = h;
      const gridPos = { h, w, x, y };
      x += w;
      return panel(index + 1, type, gridPos, options);
    }),
  };
}

function panel(
  id: number,
  type: 'timeseries' | 'stat',
  gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number },
  { title, description, unit, queries, stacked = false }: PanelOptions,
) {
  const lines = {
    custom: {
      fillOpacity: stacked ? 30 : 8,
      lineWidth: 1,
      showPoints: 'never',
      stacking: { mode: stacked ? 'normal' : 'none', group: 'A' },
    },
  };
  return {
    id,
    type,
    title,
    description,
    gridPos,
    datasource: DATASOURCE,
    fieldConfig: { defaults: { unit, min: 0, ...(type === 'timeseries' && lines) }, overrides: [] },
    options:
      type === 'stat'
        ? { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false }, colorMode: 'value' }
        : {
            legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
            tooltip: { mode: 'multi', sort: 'desc' },
          },
    targets: queries.map(([expr, legendFormat], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATASOURCE,
      expr,
      legendFormat,
    })),
  };
}

/** Expression for the growth of a counter per second, summed by these labels. */
export const rate = (metric: string, ...by: string[]): string =>
  `sum${by.length > 0 ? ` by (${by.join(', ')})` : ''} (rate(${metric}[$__rate_interval]))`;

/** Lines for the median and the 99th percentile of a histogram, by these labels. */
export const percentiles = (metric: string, legend: string, ...by: string[]): Query[] =>
  ([50, 99] as const).map((percent) => [
    `histogram_quantile(0.${percent}, sum by (${['le', ...by].join(', ')}) (rate(${metric}_bucket[$__rate_interval])))`,
    `${legend}p${percent}`,
  ]);
