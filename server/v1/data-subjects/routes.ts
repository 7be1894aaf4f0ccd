import { Readable } from 'node:stream';
import { z } from 'zod';
import type { CoreContext } from '../../core.ts';
import { requestProblems, requestStates, type SubjectRequest } from '../../data-subjects/requests.ts';
import { Refusal } from '../../errors.ts';
import { out } from '../../interfaces/openapi/out.ts';
import { answered } from '../../interfaces/openapi/shown.ts';
import { exportNoteOf } from '../../interfaces/v1/audited.ts';
import {
  field,
  found,
  idOf,
  page,
  pageAnswer,
  pageOf,
  readPage,
  text,
  textUpTo,
} from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import { type Counts, kinds } from '../../personal-data/part.ts';
import { checkConfirmation, readSubject, subjectFields } from './subject.ts';

const MAX_ROWS = 100;
const MAX_REFERENCE = 100;

const countRow = z.object({
  kind: out.oneOf(kinds, 'What it is.', 'messages'),
  count: out.count('How many rows.', 12),
});
const showCounts = (counts: Counts) =>
  kinds.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count > 0 ? [{ kind, count }] : [];
  });
const counts = (description: string) =>
  answered(z.array(countRow), description, [{ kind: 'messages', count: 12 }]);

const requestAnswer = z.object({
  id: out.id('Its id.', '1774337460000002'),
  kind: out.oneOf(['export', 'erasure'], 'What was asked for.', 'erasure'),
  state: out.oneOf(
    requestStates,
    '`waiting`, `running`; `rechecking`: everything is erased, and a quarter of an hour later it is looked again for what was under way; `done`; `failed`; `deleted`: the archive is not there any more.',
    'done',
  ),
  reference: out.text('What the caller calls it; empty for nothing.', 'request 2026-17'),
  counts: counts('What was exported or erased so far, by kind.'),
  bytes: out.count('Of the archive of an export.', 0),
  problem: out.oneOf(
    requestProblems,
    '`waits-for-imports`: imports and exports of the account are under way; `tried-again`: it could not go on; `key-lost`: the key of the installation was lost, ask again; empty: nothing.',
    '',
  ),
  requested_by: out.maybeText('The user name of who asked.', 'dana'),
  created_at: out.time('When it was asked for'),
  erased_at: out.maybeTime('Of an erasure: when everything was erased'),
  finished_at: out.maybeTime('When all of it was over'),
  expires_at: out.maybeTime('When the archive of an export is deleted'),
});
const show = serializer(requestAnswer, (request: SubjectRequest) => ({
  counts: showCounts(request.counts),
  requested_by: request.username,
}));

const reference = field(
  textUpTo(MAX_REFERENCE).default(''),
  'What you call the request, without personal data: webhooks and the certificate have it.',
  'request 2026-17',
);
const toFind = z.object(subjectFields);
const toExport = z.object({ ...subjectFields, reference });
const toErase = z.object({
  ...subjectFields,
  confirm: field(
    text,
    'The first number, address or id once more: what is erased cannot be restored.',
    '0501234567',
  ),
  reference,
});

type Deps = Pick<CoreContext, 'dataSubjects' | 'subjectRequests' | 'numbers'>;

const route = resource<Deps>('data');

/** What there is about one person, over all channels: found, exported, erased. */
export const dataSubjectRoutes = [
  route('POST /v1/data-subjects/search', {
    operationId: 'findDataSubject',
    title: 'Find the data of a person',
    description:
      'How many rows of each kind an export would have, or an erasure would erase; nothing is changed. The person is named in the body, so that no log has the number.',
    body: toFind,
    answer: z.object({
      phones: out.texts(
        'The numbers, with those that the chat platform told of the ids; international digits.',
        ['972501234567'],
      ),
      emails: out.texts('The addresses.', ['dana@example.com']),
      chat_ids: out.texts('The ids of the chat platform, with those that it told of the numbers.', []),
      counts: counts('What there is, by kind.'),
      own_uses: answered(
        z.array(
          z.object({
            identifier: out.text('The number or address.', '972501234567'),
            use: out.oneOf(
              ['sender', 'inbound-number', 'business-number'],
              'What the account uses it as.',
              'sender',
            ),
          }),
        ),
        'What the account itself sends from or receives at: it has to be removed there before an erasure.',
        [],
      ),
      requests: answered(
        z.array(requestAnswer),
        'Earlier exports and erasures of the person, the latest first.',
        [],
      ),
    }),
    handler: async ({ accountId, body }, { dataSubjects, subjectRequests, numbers }) => {
      const subject = await dataSubjects.complete(accountId, readSubject(body, numbers));
      const [found, ownUses, requests] = await Promise.all([
        dataSubjects.count(accountId, subject),
        dataSubjects.ownUses(accountId, subject),
        subjectRequests.list(accountId, { limit: MAX_ROWS, subject }),
      ]);
      return {
        phones: [...subject.phones],
        emails: [...subject.addresses],
        chat_ids: [...subject.chatIds],
        counts: showCounts(found),
        own_uses: ownUses,
        requests: requests.map(show),
      };
    },
  }),
  route('POST /v1/data-subjects/exports', {
    operationId: 'exportDataSubject',
    title: 'Export the data of a person',
    description:
      'Makes an archive in the background: a tar.gz with an `index.html`, JSON and CSV of each kind, and the files of chat messages. It can be downloaded for seven days.',
    refusals: ['over-budget'],
    body: toExport,
    answer: requestAnswer,
    status: 202,
    handler: async ({ accountId, body, caller, note }, { dataSubjects, subjectRequests, numbers }) => {
      const subject = await dataSubjects.complete(accountId, readSubject(body, numbers));
      const request = { accountId, kind: 'export' as const, subject, reference: body.reference };
      return show(
        await subjectRequests.create({ ...request, person: caller.session?.person }, (tx, id) =>
          note(tx, { kind: 'data-subject-requests', id, after: { reference: body.reference } }),
        ),
      );
    },
  }),
  route('POST /v1/data-subjects/erasures', {
    operationId: 'eraseDataSubject',
    title: 'Erase the data of a person',
    description:
      'Erases the data of a person over all channels. Waiting messages are cancelled and refunded before the answer; everything else is erased in the background. Messages stay for bills and statistics, with a pseudonym instead of the number. Erased data cannot be restored. The answer of `/v1/data-subjects/requests/{id}` is the certificate; webhooks get `data_subject.erased`.',
    refusals: ['not-now'],
    body: toErase,
    answer: requestAnswer,
    status: 202,
    handler: async ({ accountId, body, caller, note }, { dataSubjects, subjectRequests, numbers }) => {
      const named = readSubject(body, numbers);
      checkConfirmation(body.confirm, named, numbers);
      const subject = await dataSubjects.complete(accountId, named);
      await dataSubjects.checkErasable(accountId, subject);
      const request = { accountId, kind: 'erasure' as const, subject, reference: body.reference };
      const created = await subjectRequests.create({ ...request, person: caller.session?.person }, (tx, id) =>
        note(tx, { kind: 'data-subject-requests', id, after: { reference: body.reference } }),
      );
      await dataSubjects.cancelWaiting(accountId, subject);
      return show(created);
    },
  }),
  route('GET /v1/data-subjects/requests', {
    operationId: 'listDataSubjectRequests',
    title: 'List exports and erasures',
    description: 'The latest first. Whose data it was is not told: it is not known any more.',
    query: z.object(page(MAX_ROWS)),
    answer: pageAnswer('requests', requestAnswer),
    handler: ({ accountId, query: { after: before, limit } }, { subjectRequests }) =>
      pageOf(
        'requests',
        show,
        readPage(limit, (most) => subjectRequests.list(accountId, { before, limit: most })),
      ),
  }),
  route('GET /v1/data-subjects/requests/:id', {
    operationId: 'getDataSubjectRequest',
    title: 'Get an export or erasure',
    description:
      'How far it is. Of an erasure that is done it is the certificate: what was erased, when, and who asked.',
    id: idOf('request'),
    answer: requestAnswer,
    handler: async ({ accountId, id }, { subjectRequests }) =>
      show(found(await subjectRequests.find(accountId, id), 'request')),
  }),
  route('GET /v1/data-subjects/requests/:id/archive', {
    operationId: 'downloadDataSubjectExport',
    title: 'Download an export',
    description: 'The archive, a tar.gz. `not-now` while it is being made.',
    refusals: ['not-now'],
    id: idOf('request'),
    answer: { binary: 'application/octet-stream' },
    handler: async ({ accountId, id, request, reply, audit }, { subjectRequests }) => {
      const made = found(await subjectRequests.find(accountId, id), 'request');
      if (made.kind !== 'export' || made.state === 'deleted')
        throw new Refusal('not-found', 'no such archive');
      if (made.state !== 'done') throw new Refusal('not-now', 'the archive is not ready yet');
      audit({ kind: 'data-subject-requests', id });
      const note = exportNoteOf(request);
      return reply
        .header('content-type', 'application/octet-stream')
        .header('content-disposition', `attachment; filename="personal-data-${id}.tar.gz"`)
        .header('content-length', made.bytes)
        .send(Readable.from(noted(subjectRequests.archive(made), note), { objectMode: false }));
    },
  }),
];

/** The archive as it is sent. The audit log has whether all of it was. */
async function* noted(
  pieces: AsyncIterable<Buffer>,
  note: (rows: number, complete: boolean) => Promise<void>,
): AsyncGenerator<Buffer> {
  let complete = false;
  try {
    yield* pieces;
    complete = true;
  } finally {
    await note(1, complete);
  }
}
