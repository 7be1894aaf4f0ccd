import type { Command } from 'commander';
import { type Checked, type FindingState, runChecks } from '../run/doctor/check.ts';
import { checks } from '../run/doctor/checks.ts';
import { CommandError, type Json, print, withDeployment } from './with-app-context.ts';

interface DoctorOptions extends Json {
  readonly dns?: string;
  readonly only?: string[];
}

const marks: Readonly<Record<FindingState, string>> = {
  ok: 'ok  ',
  warn: 'WARN',
  fail: 'FAIL',
  skip: 'skip',
};

/** `doctor`: looks at a deployment beside the running service, with the settings that it has. */
export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('checks a deployment and says what to do; exit code 1 if a check fails')
    .option('--only <names...>', `runs only these checks: ${checks.map(({ name }) => name).join(', ')}`)
    .option('--dns <address>', 'DNS server for the checks, `address` or `address:port`')
    .action(doctor);
}

async function doctor({ json, dns, only }: DoctorOptions): Promise<void> {
  const unknown = only?.find((name) => checks.every((check) => check.name !== name));
  if (unknown !== undefined) throw new CommandError(`there is no check "${unknown}"`);
  const wanted = checks.filter(({ name }) => only === undefined || only.includes(name));
  await withDeployment(async (deployment) => {
    const all: Checked[] = [];
    for await (const checked of runChecks(wanted, { ...deployment, dnsServer: dns })) all.push(checked);
    const count = (state: FindingState) =>
      all.flatMap(({ findings }) => findings).filter((finding) => finding.state === state).length;
    const shown = {
      failed: count('fail'),
      warnings: count('warn'),
      checks: all.map(({ check: { name, title }, findings }) => ({ name, title, findings })),
    };
    const lines = all.flatMap(({ check, findings }) => [
      check.title,
      ...findings.flatMap(({ state, found, todo }) => [
        `  ${marks[state]}  ${found}`,
        ...(todo === '' ? [] : [`        ${todo}`]),
      ]),
    ]);
    print(json, shown, [...lines, '', `failed: ${shown.failed}, warnings: ${shown.warnings}`].join('\n'));
    if (shown.failed > 0) throw new CommandError('a check has failed');
  });
}
