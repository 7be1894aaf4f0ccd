import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Root folder of the repository. */
export const root = join(import.meta.dirname, '..');

/** Path at which the site is served. */
export const BASE = '/docs/guide';

/** Pages under one heading of the navigation, by their files in the repository. */
export interface Group {
  readonly title: string;
  readonly files: readonly string[];
  /** Pages of other groups show only its first page, which lists the rest. */
  readonly isFolded?: boolean;
}

const inDocs = (...names: string[]) => names.map((name) => `docs/${name}.md`);

const chosen: readonly Group[] = [
  {
    title: 'Guides',
    files: inDocs(
      'guide/README',
      'guide/first-message-php',
      'guide/first-message-python',
      'guide/first-message-node',
      'guide/move-from-another-gateway',
      'guide/move-from-kannel',
      'guide/move-from-jasmin',
      'guide/move-from-twilio',
      'guide/connect-a-carrier',
      'guide/connect-whatsapp',
      'guide/run-a-campaign',
      'guide/go-to-production',
      'guide/back-up',
    ),
  },
  {
    title: 'SMS',
    files: inDocs(
      'sending',
      'sms-api',
      'smpp-server',
      'reports',
      'cancelling',
      'send-keys',
      'quiet-hours',
      'one-time-codes',
      'links',
      'contact-lists',
      'blacklist',
      'verified-numbers',
      'subscribers',
      'migrating',
    ),
  },
  { title: 'Chat', files: inDocs('chat-api', 'chat', 'chat-platform', 'conversations') },
  { title: 'Mail', files: inDocs('mailing-lists', 'mail') },
  { title: 'Voice', files: inDocs('voice', 'voice-trunks') },
  {
    title: 'Tools',
    files: inDocs(
      'events',
      'client',
      'cli',
      'mcp',
      'sandbox',
      'console',
      'console-screens',
      'console-compared',
    ),
  },
  {
    title: 'Running the service',
    files: inDocs(
      'production',
      'operating',
      'containers',
      'upgrading',
      'settings',
      'carriers',
      'http-carriers',
      'routing',
      'number-lookup',
      'sign-in',
      'alerts',
      'tracing',
      'data',
      'scaling',
      'security',
      'reliability',
      'performance',
    ),
  },
  {
    title: 'The project',
    files: [
      ...inDocs('architecture', 'glossary'),
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'client/README.md',
      'console/README.md',
      'bench/README.md',
    ],
  },
];

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `${folder}/${name}`);

/** Returns the decisions by number, after the page that lists them. */
const decisions = (): Group => {
  const index = 'docs/decisions/README.md';
  const pages = pagesIn('docs/decisions').filter((file) => file !== index);
  return { title: 'Decisions', files: [index, ...pages], isFolded: true };
};

/**
 * Returns the groups of the navigation with existing files. Pages of docs/ that no group names are in the last group.
 */
export function groups(): readonly Group[] {
  const shown = [...chosen, decisions()];
  const present = ['docs', 'docs/guide', 'docs/decisions'].flatMap(pagesIn);
  const named = new Set(shown.flatMap(({ files }) => files));
  const others = present.filter((file) => !named.has(file));
  return [...shown, { title: 'More', files: others }]
    .map((group) => ({
      ...group,
      files: group.files.filter((file) => !file.startsWith('docs/') || present.includes(file)),
    }))
    .filter(({ files }) => files.length > 0);
}

/** Returns the files of pages outside of docs/. */
export const outside = (): string[] =>
  groups().flatMap(({ files }) => files.filter((file) => !file.startsWith('docs/')));

/** Returns the path of a page below `BASE`, by its file: '/' for the first page. */
export function pathOf(file: string): string {
  const [, guide] = /^docs\/guide\/(.+)\.md$/.exec(file) ?? [];
  if (guide !== undefined) return guide === 'README' ? '/' : `/${guide}`;
  const [, reference] = /^docs\/(.+)\.md$/.exec(file) ?? [];
  if (reference !== undefined) return `/reference/${reference.replace(/\/README$/, '')}`;
  return `/project/${file.replace(/(?:\/README)?\.md$/, '').toLowerCase()}`;
}
