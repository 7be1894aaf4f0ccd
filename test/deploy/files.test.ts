import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseEnv } from 'node:util';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { channels } from '../../server/channels/index.ts';
import { readConfig } from '../../server/kit/config.ts';

/* The files of the container, of compose and of the chart, as far as they can be looked at without running anything. */

const root = join(import.meta.dirname, '../..');
const chart = join(root, 'deploy/helm/carillon');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

interface Service {
  readonly image: string;
  readonly ports?: string[];
  readonly volumes?: string[];
  readonly read_only?: boolean;
  readonly cap_drop?: string[];
  readonly security_opt?: string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: string[];
  readonly profiles?: string[];
  readonly secrets?: string[];
}
const services = (path: string) =>
  (parse(read(path), { merge: true }) as { services: Record<string, Service> }).services;

test('the chart and compose.yaml have the version of the package', () => {
  const { version: ofChart, appVersion } = parse(read('deploy/helm/carillon/Chart.yaml'));
  assert.deepEqual([ofChart, appVersion], [version, version]);
  assert.equal(services('compose.yaml').carillon!.image, `carillon:${version}`);
  assert.equal(services('deploy/compose/roles.yaml').dispatch!.image, `carillon:${version}`);
});

test('the schema of the chart takes its values, and refuses what is no value of it', () => {
  const check = new Ajv({ strict: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')),
  );
  const values = () => parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  assert.ok(check(values()), JSON.stringify(check.errors));
  const refused: [string, (given: ReturnType<typeof values>) => void][] = [
    ['a name that is none', (given) => Object.assign(given, { replica: 3 })],
    ['no replica', (given) => Object.assign(given.api, { replicas: 0 })],
    ['a secret among settings', (given) => Object.assign(given.settings, { SECRET_KEY: 'x' })],
    ['a setting of the chart', (given) => Object.assign(given.settings, { PORT: '80' })],
    [
      'a number that would be written as 1e+06',
      (given) => Object.assign(given.settings, { HTTP_CONNECTIONS: 1e6 }),
    ],
    ['an ingress without a host', (given) => Object.assign(given.ingress, { enabled: true })],
    ['no time to stop', (given) => Object.assign(given, { terminationGracePeriodSeconds: 5 })],
  ];
  for (const [what, change] of refused) {
    const given = values();
    change(given);
    assert.equal(check(given), false, what);
  }
});

test('templates name values that there are', () => {
  const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as Record<string, unknown>;
  const templates = readdirSync(join(chart, 'templates'));
  let named = 0;
  for (const file of templates) {
    const text = readFileSync(join(chart, 'templates', file), 'utf8');
    for (const [, path] of text.matchAll(/\.Values\.([\w.]+)/g)) {
      const [name, ...rest] = path!.split('.');
      // Names of settings are the operator's.
      if (name === 'settings') continue;
      named++;
      const found = rest.reduce<unknown>(
        (at, part) => (at as Record<string, unknown>)?.[part],
        values[name!],
      );
      assert.notEqual(found, undefined, `${file}: ${path}`);
    }
  }
  assert.ok(named > 20);
});

test('compose.yaml publishes on loopback alone, with versions, files that there are and secrets that are required', () => {
  const found = services('compose.yaml');
  assert.deepEqual(Object.keys(found), [
    'carillon',
    'postgres',
    'prometheus',
    'grafana',
    'alertmanager',
    'caddy',
  ]);
  for (const [name, { image, ports = [], volumes = [], profiles }] of Object.entries(found)) {
    assert.match(image, /:v?\d+\.\d+/, `${name} has no version`);
    // Caddy is the one that others reach, and only when its profile is asked for.
    for (const port of ports)
      assert.match(port, name === 'caddy' ? /^(?:80:80|443:443)$/ : /^127\.0\.0\.1:/, name);
    assert.deepEqual(profiles, { caddy: ['tls'], alertmanager: ['alerts'] }[name]);
    for (const volume of volumes) {
      const [source] = volume.split(':');
      if (source!.startsWith('.')) assert.ok(existsSync(join(root, source!)), `${name}: ${source}`);
    }
  }
  assert.equal(found.postgres!.ports, undefined);
  for (const path of ['compose.yaml', 'deploy/compose/roles.yaml']) {
    for (const { environment = {}, secrets = [] } of Object.values(services(path)))
      for (const [name, value] of Object.entries(environment))
        if (/PASSWORD|SECRET|DATABASE_URL/.test(name)) {
          assert.match(name, /_FILE$/);
          assert.ok(secrets.includes(value.replace('/run/secrets/', '')), name);
        }
  }
});

test('the service has no more rights than it needs in every container of compose', () => {
  const ours = [
    services('compose.yaml').carillon!,
    ...['dispatch', 'jobs'].map((role) => services('deploy/compose/roles.yaml')[role]!),
  ];
  for (const { read_only, cap_drop, security_opt } of ours)
    assert.deepEqual([read_only, cap_drop, security_opt], [true, ['ALL'], ['no-new-privileges:true']]);
});

test('the image is as the chart takes it to be', () => {
  const dockerfile = read('Dockerfile');
  const helpers = read('deploy/helm/carillon/templates/_helpers.tpl');
  assert.match(dockerfile, /^USER 10001:10001$/m);
  assert.match(helpers, /runAsUser: 10001\n/);
  assert.match(dockerfile, /METRICS_PORT=9464/);
  assert.match(dockerfile, /^ENV HOST=0\.0\.0\.0 /m);
  assert.match(helpers, /containerPort: 9464/);
  const flags = /node ((?:--\S+ )+)server\/carillon\.js start/
    .exec(read('package.json'))![1]!
    .trim()
    .split(' ');
  assert.ok(
    dockerfile.includes(
      `ENTRYPOINT ["node", ${flags.map((flag) => `"${flag}"`).join(', ')}, "/app/server/carillon.js"]`,
    ),
  );
});

test('the unit of systemd and the command start the program as `npm start` does, and the unit waits for its stop', () => {
  const flags = /node ((?:--\S+ )+)server\/carillon\.js start/.exec(read('package.json'))![1]!.trim();
  const unit = read('deploy/systemd/carillon.service');
  assert.ok(
    unit.includes(
      `ExecStart=/usr/lib/carillon/bin/node ${flags} /usr/lib/carillon/server/carillon.js start\n`,
    ),
  );
  assert.ok(read('deploy/debian/carillon.sh').includes(`bin/node" ${flags} `));
  const deadlines = read('server/commands/processes/deadlines.ts');
  const deadline = Number(/const GRACE_MS = ([\d_]+);/.exec(deadlines)![1]!.replaceAll('_', ''));
  assert.ok(Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)![1]) * 1_000 > deadline + 3_000);
  assert.match(unit, /^KillMode=mixed$/m);
});

test('secrets.sh makes secrets that the service takes, for its owner alone, and changes none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-secrets-'));
  after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'deploy/compose'), { recursive: true });
  const script = join(folder, 'deploy/compose/secrets.sh');
  copyFileSync(join(root, 'deploy/compose/secrets.sh'), script);
  const run = () => spawnSync('sh', [script], { encoding: 'utf8' });
  assert.match(run().stdout, /the secrets were made/);
  const secrets = join(folder, 'deploy/compose/secrets');
  assert.equal(statSync(secrets).mode & 0o777, 0o700);
  assert.equal(statSync(join(folder, 'carillon.env')).mode & 0o777, 0o600);
  const named = Object.values(
    (parse(read('compose.yaml')) as { secrets: Record<string, { file: string }> }).secrets,
  ).map(({ file }) => join(folder, file));
  assert.deepEqual(
    readdirSync(secrets)
      .map((name) => join(secrets, name))
      .toSorted(),
    named.toSorted(),
  );
  const made = () => named.map((path) => readFileSync(path, 'utf8'));
  const settings = parseEnv(readFileSync(join(folder, 'carillon.env'), 'utf8'));
  const config = readConfig(
    {
      ...settings,
      SECRET_KEY_FILE: join(secrets, 'secret_key'),
      DATABASE_URL_FILE: join(secrets, 'database_url'),
    },
    channels,
  );
  assert.equal(
    new URL(config.DATABASE_URL!).password,
    readFileSync(join(secrets, 'database_password'), 'utf8'),
  );
  const before = made();
  assert.match(run().stdout, /nothing was changed/);
  assert.deepEqual(made(), before);

  // Passwords of the database and of Grafana are in their volumes, so those of an earlier .env stay.
  rmSync(secrets, { recursive: true });
  const earlier = [
    'CARILLON_DATABASE_PASSWORD=one',
    'CARILLON_GRAFANA_PASSWORD=two',
    'CARILLON_SECRET_KEY=three=',
  ];
  writeFileSync(join(folder, '.env'), earlier.join('\n'));
  run();
  assert.deepEqual(
    ['database_password', 'grafana_password', 'secret_key', 'database_url'].map((name) =>
      readFileSync(join(secrets, name), 'utf8'),
    ),
    ['one', 'two', 'three=', 'postgres://carillon:one@postgres/carillon'],
  );
});
