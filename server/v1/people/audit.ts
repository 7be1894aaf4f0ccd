import { z } from 'zod';
import { out } from '../../interfaces/openapi/out.ts';
import { answered } from '../../interfaces/openapi/shown.ts';
import { page, pageAnswer, pageOf, queryText, readPage, timeSpan } from '../../interfaces/v1/kit/fields.ts';
import { resource } from '../../interfaces/v1/kit/route.ts';
import { serializer } from '../../interfaces/v1/kit/serializer.ts';
import { type AuditLog, type AuditRow, CLI_PREFIX, NO_ACCOUNT } from '../../people/audit.ts';

const MAX_ROWS = 500;

const shortText = queryText(100).optional();
const query = z.object({
  ...page(MAX_ROWS),
  ...timeSpan,
  person: z
    .string()
    .regex(/^\d{1,16}$/, 'must be the id of a person')
    .transform(Number)
    .optional()
    .describe('What this person did: the id.'),
  kind: shortText.describe('What was done to this kind of thing, as `object.kind` says it.'),
  object: shortText.describe('What was done to the one with this id.'),
});

const change = z.record(z.string(), z.unknown());
const entryAnswer = z.object({
  id: out.id('Its id.', '1774337460000041'),
  at: out.time('When'),
  person: z
    .object({
      id: out.text('The id of the person.', '1774337460000021'),
      username: out.text('The user name at that time.', 'dana'),
    })
    .nullable()
    .meta({ description: 'Who; null: a program with a token, or the command line.' }),
  system_user: out.maybeText('Who used the command line: the user of the machine; null: nobody did.', null),
  token_id: out.maybeId('The token of the program.', null),
  address: out.maybeText('From where; null: the command line.', '192.0.2.7'),
  action: out.text(
    'The method and the path, a command, `export ended` or `signed out by provider`.',
    'PATCH /v1/people/:id',
  ),
  object: z
    .object({
      kind: out.maybeText('What kind of thing.', 'people'),
      id: out.maybeText('Which one.', '1774337460000022'),
    })
    .meta({ description: 'What was changed.' }),
  status: out.count('The HTTP status of the answer: 400 and more were refused.', 200),
  before: answered(change.nullable(), 'What it was like, as far as that is kept.', { role: 'viewer' }),
  after: answered(change.nullable(), 'What it is like.', { role: 'sender' }),
});
const show = serializer(entryAnswer, ({ personId, username, kind, objectId }: AuditRow) => ({
  person: personId === null ? null : { id: String(personId), username: username ?? '' },
  system_user: username?.startsWith(CLI_PREFIX) ? username.slice(CLI_PREFIX.length) : null,
  object: { kind, id: objectId },
}));
const answer = pageAnswer('entries', entryAnswer);

interface AuditDeps {
  readonly audit: AuditLog;
}

const route = resource<AuditDeps>('people');

/** The audit log: of an account, for owners, and of what operators changed for no account. The latest come first. */
export const auditRoutes = [
  route('GET /v1/audit', {
    operationId: 'listAudit',
    title: 'List the audit log',
    description:
      'Every change that was asked for under /v1, those that were refused too, with who, when and from where; the latest first.',
    query,
    answer,
    handler: ({ accountId, query: wanted }, deps) => list(deps, accountId, wanted),
  }),
  route('GET /v1/operator/audit', {
    operationId: 'listOperatorAudit',
    title: 'List the audit log of operators',
    description: 'Changes that were for no account; the latest first.',
    query,
    answer,
    handler: ({ query: wanted }, deps) => list(deps, NO_ACCOUNT, wanted),
  }),
];

async function list({ audit }: AuditDeps, accountId: number, wanted: z.output<typeof query>) {
  const { after: before, limit, person: personId, object: objectId, ...filter } = wanted;
  return pageOf(
    'entries',
    show,
    readPage(limit, (most) => audit.list(accountId, { ...filter, before, limit: most, personId, objectId })),
  );
}
