/** Folders and files that measure, or change, what belongs to the whole process. */
const alone =
  /^test\/(?:browser\/other-channel|channels\/[\w-]+\.test|deploy\/dashboards|kit\/(?:observability|tracing\/off)|modules\/[\w-]+\.test|torture|faults\/owners|security\/(?:event-loop|command-audit|lost-key|monitoring|secret-texts))\b/;
/** Files that open pages, which share a browser. */
const opensPages = /^test\/browser\/|^test\/security\/xss-console\b/;
/** Files that wait most of their time, for leases, pauses and calls: they run beside those that use the processors. */
const waits =
  /^test\/(?:modules\/alerts|channels\/chat\/(?:platform|dispatch)-faults|channels\/mail\/(?:bounce-handling|relay-faults|relay-tls)|channels\/voice\/(?:calls|incoming|ring-attempts|without-speech|call-sends)|engine\/dispatch\/(?:behind-balancer|clock-ahead|connector-taken-back|outcomes|sender-rate|two-processes)|sandbox\/processes|kit\/tracing\/processes)\b/;
export const WAITING_PROCESSES = 2;
/** Each has a browser, which uses a processor of its own. */
const PAGES_PROCESSES = 2;
/** What takes longest begins first, so that nothing long is left for the end. */
const longest = [
  'browser/pages-english',
  'browser/pages-hebrew',
  'browser/pages-hebrew-phone',
  'channels/chat/platform-faults',
  'engine/dispatch/two-processes',
  'channels/chat/dispatch-faults',
  'channels/voice/calls',
  'engine/dispatch/behind-balancer',
  'channels/mail/bounce-handling',
  'security/event-loop',
  'security/access',
  'torture/statements',
  'faults/owners',
  'channels/mail/killed',
  'security/sandbox-credentials',
  'browser/sign-in',
  'security/at-rest',
  'security/sql-injection',
  'faults/stop',
  'docs/openapi-v1',
  'modules/data-subjects/text-modes',
  'modules/data-subjects/data-subjects',
  'security/field-rights',
  'security/csrf',
  'security/tenants',
  'security/ssrf',
  'faults/kill',
  'engine/events/retries',
  'channels/mail-api/crowds',
].map((name) => `test/${name}.test.ts`);

/** Test files, one after the other in processes of which each takes the next one when it has ended one. */
export interface Queue {
  readonly files: readonly string[];
  /** How many processes work on it. */
  readonly processes: number;
}

/**
 * The queues of a run, the first to begin first. To load the service, and to run it for the first time, takes a process
 * longer than most files do: only what needs a process of its own has one.
 *
 * @param most how many processes use the processors at once; those that wait come on top
 */
export function queueFiles(files: readonly string[], most: number): Queue[] {
  const placeOf = (file: string) => (longest.includes(file) ? longest.indexOf(file) : longest.length);
  const sorted = files.toSorted((one, other) => placeOf(one) - placeOf(other));
  const kindOf = (file: string) => {
    if (alone.test(file)) return 'alone';
    if (waits.test(file)) return 'waits';
    return opensPages.test(file) ? 'opensPages' : 'shared';
  };
  const kinds = Object.groupBy(sorted, kindOf);
  const queue = (queued: string[] = [], processes: number): Queue => ({
    files: queued,
    processes: Math.min(processes, queued.length),
  });
  return [
    queue(kinds.waits, WAITING_PROCESSES),
    queue(kinds.opensPages, PAGES_PROCESSES),
    ...(kinds.alone ?? []).map((file) => queue([file], 1)),
    queue(kinds.shared, most),
  ];
}
