import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboards } from './dashboards.ts';

/**
 * Folder of the dashboards: inside the Helm chart, because a chart can read no other files; compose.yaml mounts the same
 * folder.
 */
export const DASHBOARD_FOLDER = join(import.meta.dirname, '../helm/carillon/files/dashboards');

/** Content of a dashboard file. */
export const dashboardText = (dashboard: object): string => `${JSON.stringify(dashboard, null, 2)}\n`;

if (import.meta.main) {
  for (const [name, dashboard] of Object.entries(dashboards))
    writeFileSync(join(DASHBOARD_FOLDER, `${name}.json`), dashboardText(dashboard));
}
