import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { parse, stringify } from 'yaml';
import { freePort } from './haproxy.ts';
import { waitFor } from './wait-for.ts';

/* Prometheus and promtool, of Debian's package or any other. */

/** The file of the alert rules. */
export const RULES = new URL('../../deploy/helm/carillon/files/rules.yml', import.meta.url);
const CONFIGURATION = new URL('../../deploy/prometheus/prometheus.yml', import.meta.url);

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<'summary' | 'description' | 'runbook_url', string>>;
}

/** The alert rules that are delivered. */
export async function readRules(): Promise<AlertRule[]> {
  const { groups } = parse(await readFile(RULES, 'utf8')) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

/** A series as Prometheus answers it. */
export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [at: number, value: string];
}

/** A Prometheus that runs. */
export interface Prometheus {
  /** Returns the current series of an expression. Throws errors of Prometheus. */
  query(expression: string): Promise<Series[]>;
  /** Response of `/api/v1/<path>`. */
  get<T>(path: string): Promise<T>;
}

/**
 * Starts Prometheus with the delivered configuration and rules until the file ends; but it asks the service at `url`, with
 * the token METRICS_TOKEN, twice a second.
 */
export async function startPrometheus(url: string, token: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-prometheus-'));
  const port = await freePort();
  const delivered = parse(await readFile(CONFIGURATION, 'utf8')) as {
    scrape_configs: { job_name: string }[];
  };
  const [job] = delivered.scrape_configs;
  await writeFile(join(folder, 'rules.yml'), await readFile(RULES));
  await writeFile(
    join(folder, 'prometheus.yml'),
    stringify({
      ...delivered,
      global: { scrape_interval: '500ms', scrape_timeout: '500ms', evaluation_interval: '1s' },
      rule_files: [join(folder, 'rules.yml')],
      scrape_configs: [
        {
          job_name: job!.job_name,
          authorization: { credentials: token },
          static_configs: [{ targets: [new URL(url).host] }],
        },
      ],
    }),
  );
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  after(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const address = `http://127.0.0.1:${port}`;
  await waitFor('Prometheus is ready', async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus ended: ${errors}`);
    return fetch(`${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${address}/api/v1/${path}`);
    const { data, error } = (await response.json()) as { data: T; error?: string };
    if (error !== undefined) throw new Error(`${decodeURIComponent(path)}: ${error}`);
    return data;
  };
  return {
    get,
    query: async (expression) =>
      (await get<{ result: Series[] }>(`query?${new URLSearchParams({ query: expression })}`)).result,
  };
}

/** Runs promtool; returns its output on both channels and its exit code. */
export function promtool(...args: readonly string[]): { code: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return { code: status, said: `${stdout}${stderr}` };
}
