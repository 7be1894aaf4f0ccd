import { noCarriers, readCarriers } from '../engine/carriers/configuration.ts';
import type { Config } from '../kit/config.ts';
import type { Role } from '../kit/process-roles.ts';
import { version } from '../kit/version.ts';
import type { DemoSecrets } from '../sandbox/demo.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { carriersOfChannels } from './sandbox-wanted.ts';

interface Started {
  readonly config: Config;
  readonly roles: readonly Role[];
  /** Address of the service, without a slash at the end. */
  readonly url: string;
  readonly sandbox: Sandbox | undefined;
  /** Why calls have no speech; undefined when they have. */
  readonly callProblem: string | undefined;
}

/** Prints that the service is ready, and in a terminal what runs, where to look and how to stop it. */
export function greet({ config, roles, url, sandbox, callProblem }: Started): void {
  console.log(`Carillon is ready on ${url}`);
  if (process.stdout.isTTY) console.log(overview(config, roles, url, sandbox !== undefined).join('\n'));
  if (!sandbox) return;
  console.log(
    `Look at it in a browser, signed in as demo (once, within an hour): ${url}/start#${sandbox.signInToken}`,
  );
  console.log(demoLines(url, sandbox.secrets).join('\n'));
  if (sandbox.operatorToken !== undefined) {
    console.log(
      `"operator", who runs the service, chooses a password here (once): ${url}/password#${sandbox.operatorToken}\n`,
    );
  }
  if (callProblem !== undefined) {
    console.log(
      `Messages are not read aloud (tts is refused with 511): ${callProblem}. Install it, for example by\n\n  apt install espeak-ng\n\nwithout a restart, or see docs/voice.md for speech servers.\n`,
    );
  }
}

function overview(config: Config, roles: readonly Role[], url: string, isSandbox: boolean): string[] {
  const { DATABASE_URL, DATA_DIR } = config;
  const database =
    DATABASE_URL === undefined
      ? `embedded PostgreSQL in ${DATA_DIR}`
      : `PostgreSQL at ${new URL(DATABASE_URL).host}`;
  const rows = [
    ['Version', `${version}, roles ${roles.join(', ')}`],
    ['Database', database],
    [
      'Carriers',
      isSandbox ? 'sandbox: simulated networks, no message leaves this machine' : carriersOf(config),
    ],
    ['Console', `${url}/`],
    ['API', `${url}/api and ${url}/v1, described at ${url}/docs`],
    ['Health', `${url}/readyz`],
    ['Stop', 'press Ctrl-C; work in progress is finished within 10 s'],
  ] as const;
  return [...rows.map(([name, value]) => `  ${name.padEnd(9)} ${value}`), ''];
}

/** The carriers of the settings, by name; operators may have added others in the console. */
function carriersOf(config: Config): string {
  const { connectors, http, trunks } = readCarriers(config) ?? noCarriers;
  const { chat, mail } = carriersOfChannels(config);
  const names = [...connectors, ...http, ...trunks].map(({ name }) => name);
  return [...names, ...(chat ? ['chat platform'] : []), ...(mail ? ['mail relay'] : [])].join(', ') || none;
}

const none = 'none in the settings';

/** Lines for a newcomer: the demo account, and a request that sends. The secrets are shown only when they are created. */
export function demoLines(url: string, secrets: DemoSecrets | undefined): string[] {
  if (!secrets) {
    return ['The sandbox is on. The demo account is "demo"; its token was printed at the first start.'];
  }
  const body = JSON.stringify({
    sms: {
      user: { username: 'demo' },
      source: 'Carillon',
      destinations: { phone: '0501234567' },
      message: 'Hello from Carillon',
    },
  });
  return [
    '',
    'The sandbox is on: a simulated network, and an account with 100,000 credits.',
    '  user name  demo',
    `  password   ${secrets.password}`,
    `  token      ${secrets.token}`,
    `  mail token ${secrets.mailToken}`,
    'The tokens and the password are shown this once. Send a message:',
    '',
    `  curl -s ${url}/api -H 'Authorization: Bearer ${secrets.token}' -d '${body}'`,
    '',
    'and look at the phone that it arrived at:',
    '',
    `  curl -s ${url}/v1/sandbox/phones/0501234567 -H 'Authorization: Bearer ${secrets.token}'`,
    '',
  ];
}
