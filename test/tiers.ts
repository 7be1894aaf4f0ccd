import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files that need a cluster: only `npm run test:cluster` runs them. */
const ON_CLUSTER = 'cluster/';

/**
 * Test files that `npm test` leaves to `npm run test:all`, by what they prove. Every other file is part of both. A file is
 * here when it takes long and what it covers is also covered, more simply, by a file that `npm test` runs.
 */
export const onlyInAll: Readonly<Record<string, readonly string[]>> = {
  'several processes, and what stands between them': [
    'modules/alerts/killed',
    'commands/processes/group',
    'engine/dispatch/behind-balancer',
    'engine/dispatch/clock-ahead',
    'engine/dispatch/connector-taken-back',
    'engine/dispatch/peers/processes',
    'engine/dispatch/two-processes',
    'modules/people/two-processes',
    'sandbox/processes',
    'api/send-keys/processes',
    'kit/tracing/processes',
    'engine/work/two-processes',
  ],
  'kills, faults and other databases of the real program': [
    'channels/chat/campaign-faults',
    'channels/chat/dispatch-faults',
    'channels/chat/platform-faults',
    'database/driver-rounds',
    'engine/dispatch/carrier-outage',
    'faults/adopted-postgres',
    'faults/crash-loop',
    'faults/database',
    'faults/disk-full',
    'faults/incoming',
    'faults/kill',
    'faults/list-sends',
    'faults/network',
    'faults/npm-start',
    'faults/owners',
    'deploy/program-bundle',
    'faults/start',
    'faults/stop',
    'channels/mail/killed',
    'modules/media/killed',
    'api/smpp/processes',
    'security/monitoring',
    'channels/voice/killed',
    'channels/mail/relay-faults',
    'security/lost-key',
    'structure/stages',
  ],
  'upgrades, backups and commands of an operator': [
    'commands/backup',
    'commands/commands',
    'commands/doctor',
    'commands/external-backup',
    'commands/people',
    'commands/mcp',
    'commands/remote',
    'commands/settings',
    'commands/status',
    'commands/status-watch',
    'commands/terminal',
    'modules/data-subjects/restored',
    'upgrade/data-folder',
    'upgrade/looking',
    'upgrade/side-by-side',
    'api/v1/imports-restart',
  ],
  'short forms of the randomized tests, and hostile input to everything': [
    'channels/mail-api/crowds',
    'security/access',
    'security/csrf',
    'security/at-rest',
    'security/event-loop',
    'security/field-rights',
    'security/gate-policies',
    'security/landlines',
    'security/passwords',
    'security/protocol-injection',
    'security/sandbox-credentials',
    'security/secret-texts',
    'security/sql-injection',
    'security/tenants',
    'security/xss-console',
    'api/sms/wire-decode',
    'api/sms/bad-input',
    'api/sms/fuzz',
    'api/smpp/hostile',
    'torture/fuzz',
    'torture/model',
    'torture/smpp-clients',
    'torture/statements',
  ],
  'programs and libraries that we did not write': [
    'deploy/alerts',
    'deploy/dashboards',
    'docs/guides',
    'docs/programs',
    'api/smpp/kannel',
    'api/smpp/net-smpp',
    'api/smpp/tshark',
    'protocols/sip/sipp-calls',
    'protocols/sip/sipp-malformed',
    'protocols/sip/sipp-network',
    'channels/voice/espeak',
    'client/package',
  ],
  'rarer cases of what a simpler file covers, which take long or mostly wait': [
    'channels/voice/call-sends',
    'channels/voice/without-speech',
    'modules/data-subjects/text-modes',
    'docs/openapi-v1',
    'api/sms/bulk',
    'channels/voice/calls',
    'channels/mail/bounce-handling',
    'channels/mail/relay-tls',
    'modules/alerts/account-rules',
    'modules/retention/text-storage',
    'security/command-audit',
    'kit/tracing/off',
    'engine/events/retries',
    'modules/data-subjects/data-subjects',
  ],
  'the console: its pages in the other language, and its rarer forms': [
    'browser/alerts',
    'browser/chat',
    'browser/client-library',
    'browser/composer',
    'browser/connectors',
    'browser/contacts',
    'browser/conversation-settings',
    'browser/conversations',
    'browser/data',
    'browser/destinations',
    'browser/drafts',
    'browser/failing-webhooks',
    'browser/first-load',
    'browser/first-minutes',
    'browser/guide',
    'browser/handset',
    'browser/mail',
    'browser/mail-blocks',
    'browser/mail-pictures',
    'browser/mail-templates',
    'browser/mail-views',
    'browser/message-texts',
    'browser/navigation',
    'browser/other-channel',
    'browser/overview',
    'browser/pages-english',
    'browser/pages-hebrew',
    'browser/pages-hebrew-phone',
    'browser/passwords',
    'browser/personal-data',
    'browser/problems',
    'browser/proof',
    'browser/reference',
    'browser/reference-ways',
    'browser/sending',
    'browser/sending-policy',
    'browser/sending-ways',
    'browser/sign-in-ways',
    'browser/smpp-clients',
    'browser/suspension',
    'browser/templates',
    'browser/time-zones',
    'browser/voice',
    'browser/webhook-events',
    'browser/work',
  ],
};

const slow = new Set(Object.values(onlyInAll).flat().map(pathOf));

/** Which command runs a file first: `commit` is `npm test`, `all` is `npm run test:all`, which runs those of `commit` too. */
export type Tier = 'commit' | 'all';

/** Returns the tier of a test file, whose path begins with `test/`. */
export const tierOf = (file: string): Tier => (slow.has(file) ? 'all' : 'commit');

/** Returns the path of a file of the lists, from the folder of the project. */
export function pathOf(name: string): string {
  return `test/${name}.test.ts`;
}

/** Returns the paths of all test files, sorted; with `onCluster` also of those that need a cluster. */
export function testFiles({ onCluster = false } = {}): string[] {
  return readdirSync(join(import.meta.dirname), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts') && (onCluster || !file.startsWith(ON_CLUSTER)))
    .map((file) => `test/${file}`)
    .sort();
}
