import { Readable } from 'node:stream';
import { z } from 'zod';
import { changes, exports, proven, reads, sendsNothing, withoutProof } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { exportNoteOf } from '../../../api/v1/audited.ts';
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
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { Refusal } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import { kinds } from '../../personal-data/kinds.ts';
import type { Counts } from '../../personal-data/part.ts';
import { requestProblems, requestStates, type SubjectRequest } from '../requests.ts';
import { checkConfirmation, readSubject, subjectFields } from './subject.ts';

const MAX_ROWS = 100;
const MAX_REFERENCE = 100;

const countRow = z.object({
  kind: out.oneOf(kinds, 'Kind of the data.', 'messages'),
  count: out.count('Number of rows.', 12),
});
const showCounts = (counts: Counts) =>
  kinds.flatMap((kind) => {
    const count = counts[kind] ?? 0;
    return count > 0 ? [{ kind, count }] : [];
  });
const counts = (description: string) =>
  answered(z.array(countRow), description, [{ kind: 'messages', count: 12 }]);

const requestAnswer = z.object({
  id: out.id('Id of the request.', '1774337460000002'),
  kind: out.oneOf(['export', 'erasure'], 'Kind of the request.', 'erasure'),
  state: out.oneOf(
    requestStates,
    '`waiting`, `running`; `rechecking`: everything is erased, and work in progress at that time is checked after 15 minutes; `done`; `failed`; `deleted`: the archive has been deleted.',
    'done',
  ),
  reference: out.text('Reference of the caller; empty without one.', 'request 2026-17'),
  counts: counts('Rows exported or erased so far, by kind.'),
  bytes: out.count('Size of the archive of an export in bytes.', 0),
  problem: out.oneOf(
    requestProblems,
    '`waits-for-imports`: imports and exports of the account are in progress; `tried-again`: it failed and is retried; `key-lost`: the key of the installation was lost, repeat the request; empty: no problem.',
    '',
  ),
  requested_by: out.maybeText('User name of the person who made the request.', 'dana'),
  created_at: out.time('Time of the request'),
  erased_at: out.maybeTime('Time at which everything was erased, for an erasure'),
  finished_at: out.maybeTime('Time of completion'),
  expires_at: out.maybeTime('Time at which the archive of an export is deleted'),
});
const show = serializer(requestAnswer, (request: SubjectRequest) => ({
  counts: showCounts(request.counts),
  requested_by: request.username,
}));

const reference = field(
  textUpTo(MAX_REFERENCE).default(''),
  'Your reference, without personal data: webhooks and the certificate contain it.',
  'request 2026-17',
);
const toFind = z.object(subjectFields);
const toExport = z.object({ ...subjectFields, reference });
const toErase = z.object({
  ...subjectFields,
  confirm: field(
    text,
    'Repetition of the first number, address or id: erased data cannot be restored.',
    '0501234567',
  ),
  reference,
});

type Deps = Pick<CoreContext, 'dataSubjects' | 'subjectRequests' | 'numbers'>;

const route = resource<Deps>('data');

/** The data of one person over all channels: search, export, erasure. */
export const dataSubjectRoutes = [
  route('POST /v1/data-subjects/search', {
    access: sendsNothing(withoutProof(reads('owner'), 'shows counts for one person')),
    operationId: 'findDataSubject',
    title: 'Find the data of a person',
    description:
      'Returns the number of rows of each kind that an export would contain or an erasure would erase; changes nothing. The body identifies the person, so that no log contains the number.',
    body: toFind,
    answer: z.object({
      phones: out.texts(
        'Numbers, including those that the chat platform reported for the ids; international digits.',
        ['972501234567'],
      ),
      emails: out.texts('Email addresses.', ['dana@example.com']),
      chat_ids: out.texts('Ids of the chat platform, including those that it reported for the numbers.', []),
      counts: counts('Number of rows, by kind.'),
      own_uses: answered(
        z.array(
          z.object({
            identifier: out.text('Number or address.', '972501234567'),
            use: out.oneOf(['sender', 'inbound-number', 'business-number'], 'Use by the account.', 'sender'),
          }),
        ),
        'Uses of the number or address by the account itself, as a sender or receiver: remove it there before an erasure.',
        [],
      ),
      requests: answered(
        z.array(requestAnswer),
        'Earlier exports and erasures of the person, newest first.',
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
    access: sendsNothing(proven(changes('owner'))),
    operationId: 'exportDataSubject',
    title: 'Export the data of a person',
    description:
      'Creates an archive in the background: a tar.gz with an `index.html`, JSON and CSV of each kind, and the files of chat messages. It can be downloaded for seven days.',
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
    access: sendsNothing(proven(changes('owner'))),
    operationId: 'eraseDataSubject',
    title: 'Erase the data of a person',
    description:
      'Erases the data of a person over all channels. Waiting messages are cancelled and refunded before the response; everything else is erased in the background. Messages stay for bills and statistics, with a pseudonym instead of the number. Erased data cannot be restored. The response of `/v1/data-subjects/requests/{id}` is the certificate; webhooks receive `data_subject.erased`.',
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
    access: reads('owner'),
    operationId: 'listDataSubjectRequests',
    title: 'List exports and erasures',
    description: 'Lists exports and erasures, newest first. The records do not name the person.',
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
    access: reads('owner'),
    operationId: 'getDataSubjectRequest',
    title: 'Get an export or erasure',
    description:
      'Returns the progress of the request. For a finished erasure it is the certificate: the erased data, the time, and the person who made the request.',
    id: idOf('request'),
    answer: requestAnswer,
    handler: async ({ accountId, id }, { subjectRequests }) =>
      show(found(await subjectRequests.find(accountId, id), 'request')),
  }),
  route('GET /v1/data-subjects/requests/:id/archive', {
    access: exports('owner'),
    operationId: 'downloadDataSubjectExport',
    title: 'Download an export',
    description: 'Returns the archive, a tar.gz. Returns `not-now` while it is being created.',
    refusals: ['not-now'],
    id: idOf('request'),
    answer: { binary: 'application/octet-stream' },
    handler: async ({ accountId, id, request, reply, audit }, { subjectRequests }) => {
      const made = found(await subjectRequests.find(accountId, id), 'request');
      if (made.kind !== 'export' || made.state === 'deleted')
        throw new Refusal('not-found', 'no such archive');
      if (made.state !== 'done')
        throw new Refusal('not-now', 'the archive is not ready yet', undefined, {
          reason: 'archive-not-ready',
        });
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

/**
 * Yields the archive while it is sent. The audit log records whether it was complete, before the last piece: a client that has
 * all octets of Content-Length does not wait for the end of the response.
 */
async function* noted(
  pieces: AsyncIterable<Buffer>,
  note: (rows: number, complete: boolean) => Promise<void>,
): AsyncGenerator<Buffer> {
  let last: Buffer | undefined;
  let isNoted = false;
  try {
    for await (const piece of pieces) {
      if (last) yield last;
      last = piece;
    }
    isNoted = true;
    await note(1, true);
    if (last) yield last;
  } finally {
    if (!isNoted) await note(1, false);
  }
}
