import { z } from 'zod';
import { operatorReads, reads } from '../../../api/access/rules.ts';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { page, pageAnswer, pageOf, queryText, readPage, timeSpan } from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import { type AuditLog, type AuditRow, CLI_PREFIX, NO_ACCOUNT } from '../audit.ts';

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
    .describe('Filters by the id of the person.'),
  kind: shortText.describe('Filters by the kind of the object, as in `object.kind`.'),
  object: shortText.describe('Filters by the id of the object.'),
});

const change = z.record(z.string(), z.unknown());
const entryAnswer = z.object({
  id: out.id('Id of the entry.', '1774337460000041'),
  at: out.time('Time of the entry'),
  person: z
    .object({
      id: out.text('Id of the person.', '1774337460000021'),
      username: out.text('User name at that time.', 'dana'),
    })
    .nullable()
    .meta({ description: 'Person who acted; null: a program with a token, or the command line.' }),
  system_user: out.maybeText(
    'Operating system user who used the command line; null: the action was not a command.',
    null,
  ),
  token_id: out.maybeId('Id of the token of the program.', null),
  address: out.maybeText('Address of the caller; null: the command line.', '192.0.2.7'),
  action: out.text(
    'Method and path, a command, `export ended` or `signed out by provider`.',
    'PATCH /v1/people/:id',
  ),
  object: z
    .object({
      kind: out.maybeText('Kind of the object.', 'people'),
      id: out.maybeText('Id of the object.', '1774337460000022'),
    })
    .meta({ description: 'Object that was changed.' }),
  status: out.count('HTTP status of the response: 400 and above are refusals.', 200),
  before: answered(change.nullable(), 'Values before the change, as far as they are recorded.', {
    role: 'viewer',
  }),
  after: answered(change.nullable(), 'Values after the change.', { role: 'sender' }),
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

/** The audit log of an account, for owners, and of operators' changes that concern no account. Newest first. */
export const auditRoutes = [
  route('GET /v1/audit', {
    access: reads('owner'),
    operationId: 'listAudit',
    title: 'List the audit log',
    description:
      'Lists all requested changes under /v1, including refused ones, with the caller, the time and the address; newest first.',
    query,
    answer,
    handler: ({ accountId, query: wanted }, deps) => list(deps, accountId, wanted),
  }),
  route('GET /v1/operator/audit', {
    access: operatorReads,
    operationId: 'listOperatorAudit',
    title: 'List the audit log of operators',
    description: 'Lists the changes that belong to no account, newest first.',
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
