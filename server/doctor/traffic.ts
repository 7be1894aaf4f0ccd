import { readCarriers } from '../carriers/configuration.ts';
import { voiceSettings } from '../channels/voice/settings.ts';
import { chooseEngine } from '../channels/voice/speech/choose.ts';
import { settingsOf } from '../config.ts';
import { listProcesses, type ReportedProcess } from '../database/process-reports.ts';
import { listConnectorStates } from '../dispatch/connector-states.ts';
import { roles } from '../process-roles.ts';
import { type Check, type Finding, fail, isLoopback, ok, skip, warn } from './check.ts';

/** Whether processes of the service run, with every role, and the state of the connectors, as the database has them. */
export const connectorsCheck: Check = {
  name: 'connectors',
  title: 'Processes and carrier connections',
  about:
    'Run processes of every role. Use TLS to carriers on other machines (`smpps`, SIP over TLS), and watch `/readyz?for=dispatch` and `carillon_connectors`.',
  async run({ appContext: { config, database } }) {
    const findings = [...judgeProcesses(await listProcesses(database.sql))];
    for (const { name, state, problem } of await listConnectorStates(database.sql)) {
      if (state === 'up') findings.push(ok(`the connection ${name} is up`));
      if (state !== 'down') continue;
      const cause = problem ? `: ${problem.reason} (${problem.detail})` : '';
      findings.push(
        fail(`the connection ${name} is down${cause}`, 'See docs/operating.md, "A connector is down".'),
      );
    }
    for (const { name, host, tls } of readCarriers(config)?.connectors ?? []) {
      if (tls || isLoopback(host)) continue;
      const todo = 'Use smpps if the carrier offers it, or a tunnel: texts and the password are unencrypted.';
      findings.push(warn(`the connection ${name} to ${host} has no TLS`, todo));
    }
    return findings;
  },
};

function* judgeProcesses(processes: readonly ReportedProcess[]): Generator<Finding> {
  const running = processes.filter(({ report }) => report !== null);
  if (running.length === 0) {
    yield fail('no process of the service runs', 'Start it with `carillon start` or `carillon serve`.');
    return;
  }
  const missing = roles.filter((role) => !running.some(({ report }) => report!.roles.includes(role)));
  for (const role of missing) {
    yield fail(`no process has the role ${role}`, `Start one with \`carillon serve --role ${role}\`.`);
  }
  for (const { number, report } of running) {
    const { host, version, problems } = report!;
    const name = `process ${number} (${report!.roles.join(', ')}) on ${host}, version ${version}`;
    if (problems.length === 0) yield ok(`${name} works`);
    else yield fail(`${name}: ${problems.join('; ')}`, 'See docs/operating.md, "Health".');
  }
}

/** Webhook endpoints that get nothing. */
export const webhooksCheck: Check = {
  name: 'webhooks',
  title: 'Webhooks',
  about: 'Check endpoints that are disabled or failing, and replay the events that they missed.',
  async run({ appContext: { database } }) {
    const rows = await database.sql<{ username: string; off: number; failing: number; total: number }[]>`
      SELECT a.username, count(*) FILTER (WHERE e.state = 'off')::int AS off,
        count(*) FILTER (WHERE e.state <> 'off' AND e.failing_since IS NOT NULL)::int AS failing, count(*)::int AS total
      FROM event_endpoints e JOIN accounts a ON a.id = e.account_id GROUP BY a.username ORDER BY a.username`;
    if (rows.length === 0) return [skip('no account has a webhook')];
    const findings = rows.flatMap(({ username, off, failing }) => [
      ...(off > 0
        ? [
            warn(
              `disabled endpoints of ${username}: ${off}`,
              'Repair them, enable them, and replay their events.',
            ),
          ]
        : []),
      ...(failing > 0
        ? [warn(`failing endpoints of ${username}: ${failing}`, 'See their deliveries in the console.')]
        : []),
    ]);
    return findings.length > 0 ? findings : [ok('all endpoints accept their events')];
  },
};

/** Whether a text can be read aloud. */
export const speechCheck: Check = {
  name: 'speech',
  title: 'Speech',
  about: 'Install a speech engine if you make calls ([voice.md](voice.md)).',
  async run({ appContext: { config, log } }) {
    if ((readCarriers(config)?.trunks ?? []).length === 0) return [skip('no trunk is configured')];
    const chosen = chooseEngine(settingsOf(config, voiceSettings), log);
    try {
      const utterance = { text: 'One two three', language: 'en', voice: 'ymFemale', rate: 0 } as const;
      const { length } = await chosen.engine.speak(utterance);
      return length > 0
        ? [ok(`${chosen.name} speaks`)]
        : [fail(`${chosen.name} makes no sound`, 'See docs/voice.md.')];
    } catch (error) {
      return [
        fail(`nothing speaks: ${(error as Error).message}`, 'Install espeak-ng, or set VOICE_SPEECH_URL.'),
      ];
    } finally {
      await chosen.close();
    }
  },
};

/** Who can sign in as an operator, and with what. */
export const peopleCheck: Check = {
  name: 'people',
  title: 'People',
  about:
    'Require a second factor of operators (`carillon person require-second-factor`) and of the people of accounts.',
  async run({ appContext: { people, database } }) {
    const operators = (await people.people.list(null)).filter(({ suspended }) => !suspended);
    if (operators.length === 0) {
      const todo = 'Add one with `carillon person add`, to see the whole service in the console.';
      return [warn('there is no operator', todo)];
    }
    const confirming = await database.sql<{ id: number }[]>`
      SELECT id FROM sign_in_providers WHERE cardinality(second_factor_values) > 0`;
    const providers = new Set(confirming.map(({ id }) => id));
    // Who comes by a provider proves a second factor there, or is asked for their own one here.
    const without = operators.filter(
      ({ secondFactor, providerId }) => !secondFactor && !(providerId !== null && providers.has(providerId)),
    );
    const here = operators.filter(({ secondFactor }) => secondFactor).length;
    const there = operators.length - here - without.length;
    const found = `operators with a second factor: ${here + there} of ${operators.length}${there > 0 ? `, ${there} of them by their sign-in provider` : ''}`;
    if (without.length === 0) return [ok(found)];
    const { secondFactorRequired } = await people.rules.find(null);
    if (secondFactorRequired) return [ok(`${found}; the others have to set one up when they sign in`)];
    return [warn(found, 'Run `carillon person require-second-factor`: an operator can do everything.')];
  },
};
