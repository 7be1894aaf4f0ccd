import { listProcesses, type ReportedProcess } from '../../database/process-reports.ts';
import { roles } from '../../kit/process-roles.ts';
import { type Check, type Finding, fail, isLoopback, ok, warn } from '../../run/doctor/check.ts';
import { noCarriers, readCarriers } from '../carriers/configuration.ts';
import { listConnectorStates } from '../dispatch/connector-states.ts';
import { originsOf } from './http-connectors.ts';

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
    const { connectors, http } = readCarriers(config) ?? noCarriers;
    for (const { name, host, tls } of connectors) {
      if (tls || isLoopback(host)) continue;
      const todo = 'Use smpps if the carrier offers it, or a tunnel: texts and the password are unencrypted.';
      findings.push(warn(`the connection ${name} to ${host} has no TLS`, todo));
    }
    for (const settings of http) {
      for (const origin of new Set(originsOf(settings).origins)) {
        const { protocol, hostname } = new URL(origin);
        if (protocol === 'https:' || isLoopback(hostname)) continue;
        const todo = 'Use an https address: texts and secrets are unencrypted.';
        findings.push(warn(`the connection ${settings.name} to ${hostname} has no TLS`, todo));
      }
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
