import { z } from 'zod';
import { readMailAddress } from '../../channels/mail/addresses.ts';
import {
  type Consent,
  type Consents,
  consentActions,
  consentChannels,
  consentSources,
  MARKETING,
} from '../../consents/consents.ts';
import { AHEAD_MS } from '../../consents/import.ts';
import { isLater, orderOf } from '../../consents/standing.ts';
import type { CoreContext } from '../../core.ts';
import { Refusal } from '../../errors.ts';
import { iso, out } from '../../interfaces/openapi/out.ts';
import { answered } from '../../interfaces/openapi/shown.ts';
import {
  field,
  listOf,
  oneOf,
  page,
  pageAnswer,
  pageLimit,
  pageOf,
  readPage,
  requiredText,
  textUpTo,
  timeText,
} from '../../interfaces/v1/kit/fields.ts';
import { csvFile } from '../../interfaces/v1/kit/files.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import { displayRecipient, type NumberReader } from '../../numbers/numbers.ts';
import { csvOf } from '../../text/csv.ts';

const MAX_ENTRIES = 1_000;
const MAX_ROWS = 500;
const MAX_CHECKED = 5_000;
const MAX_TEXT = 4_000;

const subject = field(requiredText(320), 'The number in any spelling, or the e-mail address.', '0501234567');

const entryBody = z.object({
  subject,
  channel: field(oneOf(consentChannels), 'What it is about: `any` is every channel.', 'sms'),
  purpose: field(
    textUpTo(100).trim().min(1, 'missing').default(MARKETING),
    'What it is about, in a word of yours.',
    MARKETING,
  ),
  action: field(oneOf(consentActions), 'What the person said.', 'given'),
  at: field(
    timeText.optional(),
    'When they said so, ISO 8601 with an offset; now without it.',
    '2026-03-24T07:31:00Z',
  ),
  source: field(
    oneOf(['api', 'import', 'form', 'agent']),
    'How they said so. The others of the log are written by the service.',
    'form',
  ),
  form: field(textUpTo(200).optional(), 'The name of the form.', 'newsletter'),
  version: field(textUpTo(100).optional(), 'Its version.', '2026-02'),
  text: field(
    textUpTo(MAX_TEXT).optional(),
    'The text that they agreed to, as they saw it.',
    'I agree to get offers of The Shop by SMS. I can withdraw at any time.',
  ),
  language: field(textUpTo(20).optional(), 'Its language.', 'en'),
  ip: field(
    z.union([z.ipv4(), z.ipv6()], 'must be an address of a network').optional(),
    'The address of the network that the form came from.',
    '192.0.2.7',
  ),
  url: field(
    textUpTo(2_000).optional(),
    'The page of the form. What follows `?` and `#` is not kept.',
    'https://shop.example/newsletter',
  ),
  file: field(textUpTo(200).optional(), 'Of an import: the name of the file.', 'fair-2026.csv'),
});

const body = z.object({
  consents: field(listOf(entryBody, MAX_ENTRIES).min(1, 'missing'), 'Entries, all or none are written.', [
    {
      subject: '0501234567',
      channel: 'sms',
      action: 'given',
      source: 'form',
      form: 'newsletter',
      version: '2026-02',
      text: 'I agree to get offers of The Shop by SMS. I can withdraw at any time.',
      language: 'en',
    },
  ]),
});

const consentAnswer = z.object({
  position: out.count('1, 2, 3, … within the account.', 17),
  subject: out.maybeText('The number or address; null: it was erased.', '0501234567'),
  subject_digest: out.text(
    'A keyed digest of it, which stays after an erasure.',
    'b5d4045c3f466fa91fe2cc6abe79232a1a57cdf104f7a26e716e0a1e2789df78',
  ),
  channel: out.oneOf(consentChannels, 'What it is about.', 'sms'),
  purpose: out.text('What it is about.', MARKETING),
  action: out.oneOf(consentActions, 'What the person said.', 'given'),
  at: out.time('When they said so'),
  recorded_at: out.time('When it was written down'),
  source: out.oneOf(consentSources, 'How they said so.', 'form'),
  evidence: answered(z.record(z.string(), z.string()), 'What shows it.', {
    form: 'newsletter',
    version: '2026-02',
    text: 'I agree to get offers of The Shop by SMS.',
  }),
  previous: out.text('The digest of the entry before, hexadecimal.', '0'.repeat(64)),
  digest: out.text(
    'SHA-256 of the digest before and of the entry, hexadecimal.',
    '5aad2391d61f183c52999f52ded1a3221d09d16a7c9f6c778149f436ad6e65ba',
  ),
});
const show = serializer(consentAnswer, (row: Consent) => ({
  subject: row.subject && displayRecipient(row.subject),
  subject_digest: row.subjectDigest,
  channel: row.channel as (typeof consentChannels)[number],
  action: row.action as (typeof consentActions)[number],
  source: row.source as (typeof consentSources)[number],
  recorded_at: iso(row.recordedAt),
  evidence: JSON.parse(row.evidence) as Record<string, string>,
}));

type Deps = Pick<CoreContext, 'numbers' | 'clock'> & { readonly consents: Consents };

const route = resource<Deps>('data');

/** Reads a number or an address. Throws Refusal `bad-field`. */
function readConsentSubject(given: string, numbers: Pick<NumberReader, 'parse'>, at: string): string {
  const read = given.includes('@') ? readMailAddress(given)?.key : numbers.parse(given)?.digits;
  if (read !== undefined) return read;
  throw new Refusal('bad-field', 'must be a phone number or an e-mail address', at, {
    reason: 'not-a-phone-or-address',
  });
}

/** The consent log: who agreed to what, when and by what, and who withdrew it. */
export const consentRoutes = [
  route('POST /v1/consents', {
    operationId: 'recordConsents',
    title: 'Record consents',
    description:
      'Adds entries to the consent log: consents and withdrawals, one or many. Entries are never changed; of those about the same person, channel and purpose the one that was said last (`at`) stands. Withdrawals by removal links, removal words, unsubscribe links, complaints and the chat platform are written by the service itself.',
    body,
    answer: z.object({
      recorded: out.count('How many entries were added.', 1),
      position: out.count('The position of the last one.', 17),
    }),
    handler: async ({ accountId, body: given, caller, audit }, { consents, numbers, clock }) => {
      const recordedBy = caller.session?.person.username;
      const entries = given.consents.map(
        ({ subject, channel, purpose, action, at, source, ...evidence }, index) => {
          const time = at === undefined ? undefined : Date.parse(at);
          if (time !== undefined && time > clock.now() + AHEAD_MS) {
            throw new Refusal('bad-field', 'is in the future', `consents[${index}].at`, {
              reason: 'out-of-range',
            });
          }
          return {
            subject: readConsentSubject(subject, numbers, `consents[${index}].subject`),
            ...{ channel, purpose, action, at: time, source },
            evidence: { ...evidence, ...(recordedBy !== undefined && { recordedBy }) },
          };
        },
      );
      const position = await consents.record(accountId, entries);
      audit({ kind: 'consents', after: { recorded: entries.length, position } });
      return { recorded: entries.length, position };
    },
  }),
  route('POST /v1/consents/search', {
    operationId: 'findConsents',
    title: 'Find the consents of a person',
    description:
      'What a number or an address has agreed to and withdrawn: what holds now, by channel and purpose, and the entries, the latest first, 500 at most. Also after an erasure, by the digest.',
    body: z.object({ subject }),
    answer: z.object({
      standing: answered(
        z.array(
          z.object({
            channel: out.oneOf(consentChannels, 'What it is about.', 'sms'),
            purpose: out.text('What it is about.', MARKETING),
            action: out.oneOf(consentActions, 'What the person said last.', 'given'),
            at: out.text('When they said so, ISO 8601.', '2026-03-24T07:31:00.000Z'),
          }),
        ),
        'What was said last, by channel and purpose; nothing of what was erased.',
        [],
      ),
      consents: answered(z.array(consentAnswer), 'The entries, the latest first.', []),
    }),
    handler: async ({ accountId, body: { subject: given } }, { consents, numbers }) => {
      const wanted = readConsentSubject(given, numbers, 'subject');
      const rows = await consents.list(accountId, { limit: MAX_ROWS, subject: wanted });
      const standing = standingOf(rows)
        .map(show)
        .map(({ channel, purpose, action, at }) => ({ channel, purpose, action, at }));
      return { standing, consents: rows.map(show) };
    },
  }),
  route('GET /v1/consents', {
    operationId: 'listConsents',
    title: 'List the consent log',
    description: 'Every entry, the latest first.',
    query: z.object(page(MAX_ROWS)),
    answer: pageAnswer('consents', consentAnswer),
    handler: ({ accountId, query: { after: before, limit } }, { consents }) =>
      pageOf(
        'consents',
        show,
        readPage(
          limit,
          (most) => consents.list(accountId, { before, limit: most }),
          (row) => String(row.position),
        ),
      ),
  }),
  route('GET /v1/consents/check', {
    operationId: 'checkConsents',
    title: 'Check the consent log',
    description:
      'Computes the digests of some thousand entries anew. `broken_at` names the first entry that is not as it was written: changed, deleted or added in between. Ask again with `after` until `complete` is true.',
    query: z.object({
      after: z.coerce
        .number('must be a position')
        .int('must be a position')
        .min(0, 'must be a position')
        .default(0)
        .describe('`position` of the answer before.'),
      limit: pageLimit(MAX_CHECKED, 'Entries that are checked.'),
    }),
    answer: z.object({
      checked: out.count('How many entries were checked.', 17),
      broken_at: answered(
        z.number().nullable(),
        'The first entry that is not as it was written; null: none.',
        null,
      ),
      position: out.count('The last entry that was checked.', 17),
      complete: out.flag('Whether the end of the log was reached.', true),
    }),
    handler: async ({ accountId, query: { after, limit } }, { consents }) => {
      const { checked, brokenAt, position, isEnd } = await consents.check(accountId, after, limit);
      return { checked, broken_at: brokenAt, position, complete: isEnd };
    },
  }),
  route('GET /v1/consents/export', {
    operationId: 'exportConsents',
    title: 'Export the consent log',
    description: 'All of it as CSV, streamed, with the evidence and the digests.',
    answer: {
      csv: 'position,subject,channel,purpose,action,at,recorded_at,source,evidence,subject_digest,previous,digest\r\n',
    },
    handler: ({ accountId }, { consents }) =>
      csvFile('consents.csv', csvOf(names, pagesOf(consents, accountId), cellsOf)),
  }),
  route('POST /v1/consents/proof', {
    operationId: 'proveConsents',
    title: 'Get a signed proof of consents',
    description:
      'The entries about one number or address as a text that is fit to be shown, with the evidence and the digests, signed by the installation (Ed25519 over the bytes of `document`).',
    body: z.object({ subject }),
    answer: z.object({
      document: out.text(
        'JSON, indented: the subject, when it was made, and the entries, the first first.',
        '{}',
      ),
      signature: out.text('Base64.', 'mZ0w…'),
      public_key: out.text('PEM.', '-----BEGIN PUBLIC KEY-----…'),
    }),
    handler: async ({ accountId, account, body: { subject: given } }, { consents, numbers, clock }) => {
      const wanted = readConsentSubject(given, numbers, 'subject');
      const rows = await consents.list(accountId, { limit: MAX_ROWS, subject: wanted });
      const entries = rows.toReversed().map(show);
      const proof = { account: account.username, subject: wanted, made_at: iso(clock.now()), entries };
      const document = JSON.stringify(proof, null, 2);
      const { signature, publicKey } = await consents.sign(document);
      return { document, signature, public_key: publicKey };
    },
  }),
];

/** What stands, by channel and purpose; what was erased does not. */
function standingOf(rows: readonly Consent[]): Consent[] {
  const last = new Map<string, Consent>();
  for (const row of rows) {
    if (row.subject === null) continue;
    const key = `${row.channel} ${row.purpose}`;
    const known = last.get(key);
    if (!known || isLater(orderOf(row), orderOf(known))) last.set(key, row);
  }
  return [...last.values()];
}

const names = [
  'position',
  'subject',
  'channel',
  'purpose',
  'action',
  'at',
  'recorded_at',
  'source',
  'evidence',
  'subject_digest',
  'previous',
  'digest',
];

const cellsOf = (row: Consent) => [
  row.position,
  row.subject && displayRecipient(row.subject),
  row.channel,
  row.purpose,
  row.action,
  iso(row.at),
  iso(row.recordedAt),
  row.source,
  row.evidence,
  row.subjectDigest,
  row.previous,
  row.digest,
];

async function* pagesOf(consents: Consents, accountId: number): AsyncGenerator<Consent[]> {
  for (let after = 0; ; ) {
    const rows = await consents.page(accountId, after, MAX_ROWS);
    if (rows.length > 0) yield rows;
    if (rows.length < MAX_ROWS) return;
    after = rows.at(-1)!.position;
  }
}
