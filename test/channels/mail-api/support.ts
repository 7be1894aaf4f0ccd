import assert from 'node:assert/strict';
import { startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

export const MAIL_TOKEN = 'the-mail-token-of-the-demo-account';

export interface MailAnswer {
  readonly http: number;
  readonly headers: Headers;
  readonly json: Readonly<Record<string, unknown>>;
  readonly id: number;
  readonly message: string;
}

/** A user as the interface shows them. */
export interface ShownUser {
  readonly Cellphone: string;
  readonly DeleteUser: boolean;
  readonly EmailAddress: string;
  readonly FirstName: string;
  readonly IsUserSelfRemoved: boolean;
  readonly LastName: string;
  readonly StatusEmail: string | null;
  readonly UndeleteUserIfExists: boolean;
  readonly UserID: number;
  readonly UserSendFields: readonly { readonly Key: string; readonly Value: string }[];
  readonly UserSystemFields: readonly { readonly Key: string; readonly Value: string }[];
}

export interface ShownList {
  readonly ActiveUserCount: number;
  readonly ExistingListID: number;
  readonly IsNewList: boolean;
  readonly NewListDescription: string;
  readonly NewListName: string;
  readonly UserCount: number;
}

export interface MailCallOptions {
  /** undefined: the demo account's; null: none. */
  readonly token?: string | null;
  readonly segment?: string;
  readonly headers?: Record<string, string>;
}

let last = 0;
/** An address that no other test of the file uses. */
export const newAddress = (): string => `user${++last}@example.com`;

/** A sandbox, and ways to speak to its mailing-list API. */
export async function startMail(settings: Record<string, string> = {}) {
  const service = await startTestService({
    settings: { CARILLON_DEMO_MAIL_TOKEN: MAIL_TOKEN, ...settings },
  });

  async function request(
    path: string,
    init: RequestInit,
    options: MailCallOptions = {},
  ): Promise<MailAnswer> {
    const { token = MAIL_TOKEN, segment = 'Mailer', headers } = options;
    const response = await fetch(`${service.url}/api/${segment}/${path}`, {
      ...init,
      headers: { ...(token !== null && { authorization: token }), ...headers },
    });
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    const json = (await response.json()) as Record<string, unknown>;
    const result = json.result as { ResultID: number; ResultMessage: string; Tin: string };
    const isDone = result.ResultID === 200;
    assert.deepEqual([json.success, json.res, result.Tin], [isDone, isDone, ''], 'the envelope');
    assert.deepEqual(Object.keys(result), ['ResultID', 'ResultMessage', 'Tin']);
    assert.equal(typeof result.ResultMessage, 'string');
    return {
      http: response.status,
      headers: response.headers,
      json,
      id: result.ResultID,
      message: result.ResultMessage,
    };
  }

  const get = (path: string, options?: MailCallOptions) => request(path, {}, options);
  const post = (path: string, body?: unknown, options?: MailCallOptions) =>
    request(
      path,
      {
        method: 'POST',
        body: (body === undefined || typeof body === 'string' || body instanceof Uint8Array
          ? body
          : JSON.stringify(body)) as string | null,
      },
      { ...options, headers: { 'content-type': 'application/json', ...options?.headers } },
    );

  /** A call that is to be done. */
  async function done(answer: MailAnswer | Promise<MailAnswer>): Promise<MailAnswer> {
    const made = await answer;
    assert.deepEqual([made.http, made.id], [200, 200], made.message);
    return made;
  }

  async function newList(name = 'list', token?: string): Promise<number> {
    const answer = await done(
      post('CreateMalingList', { IsNewList: true, NewListName: name }, token === undefined ? {} : { token }),
    );
    return (answer.json.data as { mailingLists: number[] }).mailingLists[0]!;
  }

  /** Adds users, by address or with fields; their ids. */
  async function add(
    lists: number | readonly number[],
    users: readonly (string | Record<string, unknown>)[],
    token?: string,
  ): Promise<number[]> {
    const answer = await done(
      post(
        'AddUsersToLists',
        {
          users: users.map((user) => (typeof user === 'string' ? { EmailAddress: user } : user)),
          mailingLists: [lists].flat().map((id) => ({ ExistingListID: id })),
        },
        token === undefined ? {} : { token },
      ),
    );
    return (answer.json.data as { users: number[] }).users;
  }

  const usersOf = async (list: number, type = 0): Promise<ShownUser[]> =>
    (await done(get(`GetMailingListByID/?listID=${list}&type=${type}`))).json.users as ShownUser[];

  async function listOf(id: number): Promise<ShownList> {
    const { listNames } = (await done(post('GetMailingListNames'))).json;
    return (listNames as ShownList[]).find((list) => list.ExistingListID === id)!;
  }

  /** Users and active users of a list, as it says. */
  async function counts(id: number): Promise<[users: number, active: number]> {
    const list = await listOf(id);
    return [list.UserCount, list.ActiveUserCount];
  }

  /** Users and active users of a list, counted. */
  async function countedOf(id: number): Promise<[users: number, active: number]> {
    const [row] = await service.sql<{ users: number; active: number }[]>`
      SELECT count(*)::int AS users,
        (count(*) FILTER (WHERE u.status = 'active' AND NOT m.pending))::int AS active
      FROM mail_lists l JOIN mail_members m USING (account_id, filling_id)
      JOIN mail_users u ON u.account_id = m.account_id AND u.id = m.user_id WHERE l.id = ${id}`;
    return [row!.users, row!.active];
  }

  /** Rows of every table that a request of this interface could write to. */
  async function everything(): Promise<Record<string, unknown>> {
    const [row] = await service.sql`
      SELECT (SELECT count(*) FROM mail_lists) AS lists, (SELECT count(*) FROM mail_users) AS users,
        (SELECT count(*) FROM mail_members) AS members, (SELECT count(*) FROM mail_discarded) AS discarded,
        (SELECT count(*) FROM mail_confirmations) AS confirmations, (SELECT count(*) FROM tokens) AS tokens,
        (SELECT md5(string_agg(u::text, ',' ORDER BY u.id)) FROM mail_users u) AS all_users,
        (SELECT md5(string_agg(l::text, ',' ORDER BY l.id)) FROM mail_lists l) AS all_lists`;
    return { ...row };
  }

  /** A call that is to be refused, and to change nothing. */
  async function refused(answer: () => Promise<MailAnswer>, id: number, message: RegExp, http = 200) {
    await waitFor('nothing is being deleted in the background', async () => {
      const [row] = await service.sql`SELECT 1 FROM mail_discarded`;
      return !row;
    });
    const before = await everything();
    const made = await answer();
    assert.deepEqual([made.http, made.id], [http, id], made.message);
    assert.match(made.message, message);
    assert.deepEqual(await everything(), before);
    return made;
  }

  /** A token of the API for another account. */
  async function addMailAccount(username: string) {
    const account = await service.addAccount({ username });
    const { MailTokens } = await import('../../../server/channels/mail/tokens.ts');
    const tokens = new MailTokens({ ...service.appContext, sql: service.sql });
    return { ...account, mailToken: (await tokens.lasting.mint(account.id)).token };
  }

  return {
    ...service,
    demo: service.demo,
    get,
    post,
    done,
    refused,
    newList,
    add,
    usersOf,
    listOf,
    counts,
    countedOf,
    everything,
    addMailAccount,
  };
}
