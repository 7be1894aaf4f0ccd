import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/*
 * Renders the Helm chart and looks at what comes out (`npm run test:chart`). Needs Go, sprig and sigs.k8s.io/yaml of Debian
 * (golang-go, golang-github-masterminds-sprig-dev, golang-k8s-sigs-yaml-dev).
 */

const { status } = spawnSync(process.execPath, ['--test', join(import.meta.dirname, 'checks.ts')], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
