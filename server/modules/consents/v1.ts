import { z } from 'zod';
import { changes, dailyWork, exports, reads, sendsNothing, withoutProof } from '../../api/access/rules.ts';
import { iso, out } from '../../api/openapi/out.ts';
import { answered } from '../../api/openapi/shown.ts';
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
} from '../../api/v1/kit/fields.ts';
import { csvFile } from '../../api/v1/kit/files.ts';
import { resource } from '../../api/v1/kit/route.ts';
import { serializer } from '../../api/v1/kit/serializer.ts';
import { readMailAddress } from '../../channels/mail/addresses.ts';
import { badField } from '../../kit/errors.ts';
import { displayRecipient, type NumberReader } from '../../kit/numbers/phone-numbers.ts';
import { csvOf } from '../../kit/text/csv.ts';
import type { CoreContext } from '../../run/services.ts';
import {
  type Consent,
  type Consents,
  consentActions,
  consentChannels,
  consentSources,
  MARKETING,
} from './consents.ts';
import { AHEAD_MS } from './import.ts';
import { isLater, orderOf } from './standing.ts';

const MAX_ENTRIES = 1_000;
const MAX_ROWS = 500;
const MAX_CHECKED = 5_000;
const MAX_TEXT = 4_000;

const subject = field(requiredText(320), 'Number in any spelling, or email address.', '0501234567');

const entryBody = z.object({
  subject,
  channel: field(oneOf(consentChannels), 'Channel of the consent; `any` is every channel.', 'sms'),
  purpose: field(
    textUpTo(100).trim().min(1, 'missing').default(MARKETING),
    'Purpose of the consent, an identifier of your own.',
    MARKETING,
  ),
  action: field(oneOf(consentActions), 'Decision of the person.', 'given'),
  at: field(
    timeText.optional(),
    'Time of the decision, ISO 8601 with an offset; default: now.',
    '2026-03-24T07:31:00Z',
  ),
  source: field(
    oneOf(['api', 'import', 'form', 'agent']),
    'Method by which the person decided. The service records the other methods of the log itself.',
    'form',
  ),
  form: field(textUpTo(200).optional(), 'Name of the form.', 'newsletter'),
  version: field(textUpTo(100).optional(), 'Version of the form.', '2026-02'),
  text: field(
    textUpTo(MAX_TEXT).optional(),
    'Text to which they agreed, as it was shown.',
    'I agree to get offers of The Shop by SMS. I can withdraw at any time.',
  ),
  language: field(textUpTo(20).optional(), 'Language of the text.', 'en'),
  ip: field(
    z.union([z.ipv4(), z.ipv6()], 'must be an address of a network').optional(),
    'Network address from which the form was sent.',
    '192.0.2.7',
  ),
  url: field(
    textUpTo(2_000).optional(),
    'Page of the form. The parts after `?` and `#` are not stored.',
    'https://shop.example/newsletter',
  ),
  file: field(textUpTo(200).optional(), 'Name of the file, for an import.', 'fair-2026.csv'),
});

const body = z.object({
  consents: field(listOf(entryBody, MAX_ENTRIES).min(1, 'missing'), 'Entries; all or none are recorded.', [
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
  position: out.count('Position in the log of the account: 1, 2, 3, …', 17),
  subject: out.maybeText('Number or address; null: it was erased.', '0501234567'),
  subject_digest: out.text(
    'Keyed digest of the number or address, which an erasure keeps.',
    'b5d4045c3f466fa91fe2cc6abe79232a1a57cdf104f7a26e716e0a1e2789df78',
  ),
  channel: out.oneOf(consentChannels, 'Channel of the consent.', 'sms'),
  purpose: out.text('Purpose of the consent.', MARKETING),
  action: out.oneOf(consentActions, 'Decision of the person.', 'given'),
  at: out.time('Time of the decision'),
  recorded_at: out.time('Time of the record'),
  source: out.oneOf(consentSources, 'Method by which the person decided.', 'form'),
  evidence: answered(z.record(z.string(), z.string()), 'Evidence of the decision.', {
    form: 'newsletter',
    version: '2026-02',
    text: 'I agree to get offers of The Shop by SMS.',
  }),
  previous: out.text('Digest of the previous entry, hexadecimal.', '0'.repeat(64)),
  digest: out.text(
    'SHA-256 of the previous digest and of the entry, hexadecimal.',
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

const route = resource<Deps>('data', {
  'numbers and addresses of contacts, which callers may read': ['subject', 'document'],
  'digests, signatures and purposes, which name nobody': [
    'digest',
    'previous',
    'subject_digest',
    'signature',
    'public_key',
    'purpose',
  ],
});

/** Parses a number or an address. Throws Refusal `bad-field`. */
function readConsentSubject(given: string, numbers: Pick<NumberReader, 'parse'>, at: string): string {
  const read = given.includes('@') ? readMailAddress(given)?.key : numbers.parse(given)?.digits;
  if (read !== undefined) return read;
  throw badField(at, 'must be a phone number or an e-mail address', 'not-a-phone-or-address');
}

/** The consent log: who agreed to what, when and how, and who withdrew it. */
export const consentRoutes = [
  route('POST /v1/consents', {
    access: dailyWork(changes('sender', 'contacts')),
    operationId: 'recordConsents',
    title: 'Record consents',
    description:
      'Adds entries to the consent log: consents and withdrawals, one or many. Entries are never changed; of several entries for the same person, channel and purpose, the latest decision (`at`) applies. The service itself records withdrawals by removal links, removal words, unsubscribe links, complaints and the chat platform.',
    body,
    answer: z.object({
      recorded: out.count('Number of added entries.', 1),
      position: out.count('Position of the last entry.', 17),
    }),
    handler: async ({ accountId, body: given, caller, audit }, { consents, numbers, clock }) => {
      const recordedBy = caller.session?.person.username;
      const entries = given.consents.map(
        ({ subject, channel, purpose, action, at, source, ...evidence }, index) => {
          const time = at === undefined ? undefined : Date.parse(at);
          if (time !== undefined && time > clock.now() + AHEAD_MS) {
            throw badField(`consents[${index}].at`, 'is in the future', 'out-of-range');
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
    access: sendsNothing(
      withoutProof(reads('sender', 'contacts'), 'shows the consents of one phone or address'),
    ),
    operationId: 'findConsents',
    title: 'Find the consents of a person',
    description:
      'Returns the consents and withdrawals of a number or an address: the current state by channel and purpose, and up to 500 entries, newest first. Works after an erasure, by the digest.',
    body: z.object({ subject }),
    answer: z.object({
      standing: answered(
        z.array(
          z.object({
            channel: out.oneOf(consentChannels, 'Channel.', 'sms'),
            purpose: out.text('Purpose.', MARKETING),
            action: out.oneOf(consentActions, 'Latest decision of the person.', 'given'),
            at: out.text('Time of that decision, ISO 8601.', '2026-03-24T07:31:00.000Z'),
          }),
        ),
        'Latest decisions by channel and purpose, without erased entries.',
        [],
      ),
      consents: answered(z.array(consentAnswer), 'Entries, newest first.', []),
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
    access: reads('owner', 'contacts'),
    operationId: 'listConsents',
    title: 'List the consent log',
    description: 'Lists all entries, newest first.',
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
    access: reads('owner', 'contacts'),
    operationId: 'checkConsents',
    title: 'Check the consent log',
    description:
      'Recalculates the digests of some thousand entries. `broken_at` is the first entry that differs from its record: changed, deleted or inserted. Repeat with `after` until `complete` is true.',
    query: z.object({
      after: z.coerce
        .number('must be a position')
        .int('must be a position')
        .min(0, 'must be a position')
        .default(0)
        .describe('`position` of the previous response.'),
      limit: pageLimit(MAX_CHECKED, 'Maximum entries to check.'),
    }),
    answer: z.object({
      checked: out.count('Number of checked entries.', 17),
      broken_at: answered(
        z.number().nullable(),
        'First entry that differs from its record; null if none differs.',
        null,
      ),
      position: out.count('Position of the last checked entry.', 17),
      complete: out.flag('Whether the end of the log was reached.', true),
    }),
    handler: async ({ accountId, query: { after, limit } }, { consents }) => {
      const { checked, brokenAt, position, isEnd } = await consents.check(accountId, after, limit);
      return { checked, broken_at: brokenAt, position, complete: isEnd };
    },
  }),
  route('GET /v1/consents/export', {
    access: exports('owner', 'contacts'),
    operationId: 'exportConsents',
    title: 'Export the consent log',
    description: 'Streams the whole log as CSV, with the evidence and the digests.',
    answer: {
      csv: 'position,subject,channel,purpose,action,at,recorded_at,source,evidence,subject_digest,previous,digest\r\n',
    },
    handler: ({ accountId }, { consents }) =>
      csvFile('consents.csv', csvOf(names, pagesOf(consents, accountId), cellsOf)),
  }),
  route('POST /v1/consents/proof', {
    access: sendsNothing(withoutProof(reads('owner'), 'shows the evidence of one consent')),
    operationId: 'proveConsents',
    title: 'Get a signed proof of consents',
    description:
      'Returns the entries of one number or address as a readable document, with the evidence and the digests, signed by the installation (Ed25519 over the bytes of `document`).',
    body: z.object({ subject }),
    answer: z.object({
      document: out.text(
        'Indented JSON: the subject, the time of creation, and the entries, oldest first.',
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

/** Returns the current consents by channel and purpose, without erased ones. */
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
