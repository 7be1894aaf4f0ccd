import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parseAllDocuments, stringify } from 'yaml';

const CHART = join(import.meta.dirname, '../../deploy/helm/carillon');
const folder = mkdtempSync(join(tmpdir(), 'carillon-chart-'));
after(() => rmSync(folder, { recursive: true }));
const program = join(folder, 'render');
execFileSync('go', ['build', '-o', program, '.'], {
  cwd: join(import.meta.dirname, 'render'),
  env: {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOFLAGS: '',
    GOCACHE: join(folder, 'cache'),
  },
  stdio: 'inherit',
});

type Labels = Readonly<Record<string, string>>;
interface Container {
  readonly args: string[];
  readonly image: string;
  readonly ports?: { name: string; containerPort: number }[];
  readonly env?: { name: string; value: string }[];
  readonly volumeMounts?: { name: string; mountPath: string }[];
  readonly envFrom: { secretRef?: { name: string }; configMapRef?: { name: string } }[];
  readonly securityContext: object;
  readonly readinessProbe?: { httpGet: { path: string; port: string } };
  readonly livenessProbe?: { httpGet: { path: string; port: string } };
}
interface Pods {
  readonly metadata: { labels: Labels };
  readonly spec: {
    containers: Container[];
    securityContext: { runAsNonRoot: boolean; runAsUser: number };
    terminationGracePeriodSeconds: number;
    serviceAccountName?: string;
    volumes: Record<string, unknown>[];
  };
}
/** What is looked at of what is rendered. */
interface Rendered {
  readonly kind: string;
  readonly text?: string;
  readonly metadata: { name: string; labels: Labels; annotations?: Labels };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    replicas?: number;
    selector: { matchLabels: Labels } & Labels;
    template: Pods;
    ports: { targetPort: string }[];
    groups: { name: string; rules: { annotations: Labels }[] }[];
    rules: { host: string }[];
    tls?: { hosts: string[] }[];
    scaleTargetRef: { name: string };
  };
}

function render(values: object, release = 'carillon'): Rendered[] {
  const file = join(folder, 'values.yaml');
  writeFileSync(file, stringify(values));
  const { status, stdout, stderr } = spawnSync(program, [CHART, release, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).flatMap((document) => {
    assert.deepEqual(document.errors, []);
    return (document.toJS() as Rendered | null) ?? [];
  });
}

const plain = render({ existingSecret: 'secrets' });
const all = render(
  {
    existingSecret: 'secrets',
    settings: { PUBLIC_URL: 'https://sms.example.com', KEEP_DAYS: '90' },
    api: { autoscaling: { enabled: true } },
    ingress: { enabled: true, host: 'sms.example.com', tlsSecret: 'tls' },
    persistence: { existingClaim: 'shared' },
    podAnnotations: { a: 'b' },
    monitoring: {
      enabled: true,
      labels: { release: 'prometheus' },
      runbookBaseUrl: 'https://git.example.com/carillon/',
      dashboards: { enabled: true },
    },
  },
  'sms',
);
const of = (rendered: readonly Rendered[], kind: string) => rendered.filter((one) => one.kind === kind);
const podsOf = (rendered: readonly Rendered[]) =>
  [...of(rendered, 'Deployment'), ...of(rendered, 'Job')].map(({ spec }) => spec.template);

test('each role is a deployment, with the Secret and without the sandbox', () => {
  const deployments = of(plain, 'Deployment');
  assert.deepEqual(
    deployments.map(({ metadata, spec }) => [
      metadata.name,
      spec.replicas,
      spec.template.spec.containers[0]!.args,
    ]),
    ['api', 'dispatch', 'jobs'].map((role) => [`carillon-${role}`, 2, ['serve', '--role', role]]),
  );
  for (const { spec } of podsOf(plain)) {
    const [container] = spec.containers;
    assert.ok(container!.envFrom.some(({ secretRef }) => secretRef?.name === 'secrets'));
    assert.equal(container!.image, 'carillon:0.2.0');
  }
  assert.throws(() => render({}), /existingSecret: name a Secret with DATABASE_URL and SECRET_KEY/);
  assert.deepEqual(of(plain, 'Secret'), []);
});

test('secretFiles mounts keys of the Secret, and no environment has a secret', () => {
  const pods = podsOf(render({ existingSecret: 'secrets', secretFiles: ['DATABASE_URL', 'SECRET_KEY'] }));
  assert.equal(pods.length, 4);
  for (const { spec } of pods) {
    const { env, envFrom = [], volumeMounts } = spec.containers[0]!;
    assert.ok(!envFrom.some(({ secretRef }) => secretRef));
    assert.deepEqual(
      env!.filter(({ name }) => name.endsWith('_FILE')),
      ['DATABASE_URL', 'SECRET_KEY'].map((name) => ({
        name: `${name}_FILE`,
        value: `/run/secrets/carillon/${name}`,
      })),
    );
    assert.ok(volumeMounts!.some(({ mountPath }) => mountPath === '/run/secrets/carillon'));
    const volume = spec.volumes!.find(({ name }) => name === 'secrets')!;
    assert.deepEqual(volume.secret, {
      secretName: 'secrets',
      defaultMode: 0o440,
      items: ['DATABASE_URL', 'SECRET_KEY'].map((key) => ({ key, path: key })),
    });
  }
});

test('nobody is root, nothing is written to the image, and there is time to finish', () => {
  const pods = [...podsOf(plain), ...podsOf(all)];
  assert.equal(pods.length, 8);
  for (const { spec } of pods) {
    assert.equal(spec.securityContext.runAsNonRoot, true);
    assert.equal(spec.securityContext.runAsUser, 10_001);
    assert.ok(spec.terminationGracePeriodSeconds > 20);
    for (const { securityContext } of spec.containers) {
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  }
});

test('selectors find their pods, and probes and services their ports', () => {
  for (const rendered of [plain, all]) {
    const pods = of(rendered, 'Deployment').map(({ spec }) => spec.template);
    const found = (selector: Labels) =>
      pods.filter(({ metadata }) =>
        Object.entries(selector).every(([name, value]) => metadata.labels[name] === value),
      );
    for (const { spec } of of(rendered, 'Deployment'))
      assert.equal(found(spec.selector.matchLabels).length, 1);
    for (const { spec } of of(rendered, 'PodDisruptionBudget'))
      assert.equal(found(spec.selector.matchLabels).length, 1);
    for (const { spec } of of(rendered, 'PodMonitor'))
      assert.equal(found(spec.selector.matchLabels).length, 3);
    const [service] = of(rendered, 'Service');
    const [api] = found(service!.spec.selector);
    assert.ok(
      api!.spec.containers[0]!.ports!.some(({ name }) => name === service!.spec.ports[0]!.targetPort),
    );
    for (const { spec } of pods) {
      const [{ ports, livenessProbe, readinessProbe }] = spec.containers as [Container];
      assert.equal(livenessProbe!.httpGet.path, '/healthz');
      const probed = spec.containers[0]!.args!.includes('dispatch') ? '/readyz?for=dispatch' : '/readyz';
      assert.equal(readinessProbe!.httpGet.path, probed);
      for (const probe of [livenessProbe, readinessProbe])
        assert.ok(ports!.some(({ name }) => name === probe!.httpGet.port));
    }
  }
});

test('migrations come before, without what does not exist yet', () => {
  const [job] = of(plain, 'Job');
  assert.equal(job!.metadata.annotations!['helm.sh/hook'], 'pre-install,pre-upgrade');
  const { spec } = job!.spec.template;
  assert.equal(spec.serviceAccountName, undefined);
  assert.deepEqual(spec.containers[0]!.envFrom, [{ secretRef: { name: 'secrets' } }]);
  assert.deepEqual(of(render({ existingSecret: 'secrets', migration: { enabled: false } }), 'Job'), []);
});

test('what is optional is there when it is wanted, and not else', () => {
  for (const kind of ['Ingress', 'HorizontalPodAutoscaler', 'PodMonitor', 'PrometheusRule']) {
    assert.equal(of(plain, kind).length, 0, kind);
    assert.equal(of(all, kind).length, 1, kind);
  }
  const [api] = of(all, 'Deployment');
  assert.equal(api!.metadata.name, 'sms-carillon-api');
  assert.equal(api!.spec.replicas, undefined, 'the autoscaler has it');
  assert.equal(of(all, 'HorizontalPodAutoscaler')[0]!.spec.scaleTargetRef.name, api!.metadata.name);
  assert.deepEqual(of(all, 'Ingress')[0]!.spec.tls![0]!.hosts, ['sms.example.com']);
  const [settings, dashboards] = of(all, 'ConfigMap');
  const byName = [settings!, dashboards!].toSorted(
    (one, other) => one.metadata.name.length - other.metadata.name.length,
  );
  assert.deepEqual(byName[0]!.data, { PUBLIC_URL: 'https://sms.example.com', KEEP_DAYS: '90' });
  const names = ['connectors', 'database', 'latency', 'money', 'queues', 'traffic'].map(
    (name) => `${name}.json`,
  );
  assert.deepEqual(Object.keys(byName[1]!.data!).toSorted(), names);
  for (const text of Object.values(byName[1]!.data!)) assert.match(JSON.parse(text).title, /^Carillon: /);
  assert.deepEqual(of(plain, 'ConfigMap')[0]!.data, {});
});

test('alerts are whole, and their links lead to where the documentation is', () => {
  const [{ spec }] = of(all, 'PrometheusRule') as [Rendered];
  const file = join(folder, 'rules.yml');
  writeFileSync(file, stringify({ groups: spec.groups }));
  const checked = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
  assert.equal(checked.status, 0, checked.stderr);
  const links = spec.groups.flatMap(({ rules }) => rules.map(({ annotations }) => annotations.runbook_url!));
  assert.ok(links.length > 20);
  for (const link of links)
    assert.match(link, /^https:\/\/git\.example\.com\/carillon\/docs\/operating\.md#[a-z-]+$/);
});

test('the notes say what is next, and warn of files that are lost', () => {
  assert.match(of(plain, 'Notes')[0]!.text!, /Files of chat messages are lost with their pod/);
  assert.match(of(plain, 'Notes')[0]!.text!, /Records of erased people are lost with their pod/);
  assert.doesNotMatch(of(all, 'Notes')[0]!.text!, /are lost/);
  assert.match(of(all, 'Notes')[0]!.text!, /https:\/\/sms\.example\.com/);
});
