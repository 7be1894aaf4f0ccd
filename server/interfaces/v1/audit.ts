import { z } from 'zod';
import { type AuditLog, type AuditRow, CLI_PREFIX, NO_ACCOUNT } from '../../people/audit.ts';
import { answered } from '../openapi/shown.ts';
import { described } from './about.ts';
import { pageLimit, read, type V1Part } from './door.ts';
import { afterId, cut, iso, isoTime, next, timeSpan } from './fields.ts';

const ROWS_MOST = 500;

const shortText = z.string().max(100, 'over 100 characters').optional();
const query = z.object({
  after: afterId,
  limit: pageLimit(ROWS_MOST).describe('Rows of a page.'),
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
  id: answered(z.string(), 'Its id.', '1774337460000041'),
  at: isoTime('When'),
  person: z
    .object({
      id: answered(z.string(), 'The id of the person.', '1774337460000021'),
      username: answered(z.string(), 'The user name at that time.', 'dana'),
    })
    .nullable()
    .meta({ description: 'Who; null: a program with a token, or the command line.' }),
  system_user: answered(
    z.string().nullable(),
    'Who used the command line: the user of the machine; null: nobody did.',
    null,
  ),
  token_id: answered(z.string().nullable(), 'The token of the program.', null),
  address: answered(z.string().nullable(), 'From where; null: the command line.', '192.0.2.7'),
  action: answered(
    z.string(),
    'The method and the path, a command, or `export ended`.',
    'PATCH /v1/people/:id',
  ),
  object: z
    .object({
      kind: answered(z.string().nullable(), 'What kind of thing.', 'people'),
      id: answered(z.string().nullable(), 'Which one.', '1774337460000022'),
    })
    .meta({ description: 'What was changed.' }),
  status: answered(z.int(), 'The HTTP status of the answer: 400 and more were refused.', 200),
  before: answered(change.nullable(), 'What it was like, as far as that is kept.', { role: 'viewer' }),
  after: answered(change.nullable(), 'What it is like.', { role: 'sender' }),
});
const answer = z.object({ entries: z.array(entryAnswer), next });

/**
 * The audit log under /v1, a part of the door: `GET /audit` for owners, `GET /operator/audit` for what operators did
 * that was for no account. The latest come first; `next` is the `after` of the following page.
 */
export function auditPart({ audit }: { readonly audit: AuditLog }): V1Part {
  async function page(accountId: number, given: unknown): Promise<z.output<typeof answer>> {
    const { after, limit, from, to, person, kind, object } = read(query, given);
    const found = await audit.list(accountId, {
      before: after,
      // One more than is shown: whether there is a following page.
      limit: limit + 1,
      from,
      to,
      personId: person,
      kind,
      objectId: object,
    });
    const { rows, next: following } = cut(found, limit);
    return { entries: rows.map(show), next: following };
  }

  return (app, accountOf) => {
    app.get(
      '/audit',
      described({
        chapter: 'people',
        id: 'listAudit',
        title: 'Who changed what',
        description:
          'Every change that was asked for under /v1, those that were refused too, with who, when and from where; the latest first.',
        query,
        answer,
      }),
      (request) => page(accountOf(request).id, request.query),
    );

    app.get(
      '/operator/audit',
      described({
        chapter: 'people',
        id: 'listOperatorAudit',
        title: 'What operators changed',
        description: 'Changes that were for no account; the latest first.',
        query,
        answer,
      }),
      (request) => page(NO_ACCOUNT, request.query),
    );
  };
}

function show(row: AuditRow): z.output<typeof entryAnswer> {
  return {
    id: String(row.id),
    at: iso(row.at),
    person: row.personId === null ? null : { id: String(row.personId), username: row.username ?? '' },
    system_user: row.username?.startsWith(CLI_PREFIX) ? row.username.slice(CLI_PREFIX.length) : null,
    token_id: row.tokenId === null ? null : String(row.tokenId),
    address: row.address,
    action: row.action,
    object: { kind: row.kind, id: row.objectId },
    status: row.status,
    before: row.before,
    after: row.after,
  };
}
