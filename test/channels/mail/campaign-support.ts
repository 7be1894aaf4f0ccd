import assert from 'node:assert/strict';
import type { MailboxMail } from '../../../server/sandbox/mail/mailboxes.ts';
import { DEMO_TOKEN, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

export interface V1Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> & { readonly error?: { code: string; message: string } };
}

/** A campaign as /v1 shows it. */
export interface ShownCampaign {
  readonly id: string;
  readonly state: string;
  readonly total: number;
  readonly progress: {
    readonly made: number;
    readonly waiting: number;
    readonly sent: number;
    readonly opened: number;
    readonly clicked: number;
    readonly failed: Readonly<Record<string, number>>;
    readonly cancelled: number;
    readonly hard_bounces: number;
    readonly soft_bounces: number;
    readonly complaints: number;
    readonly removals: number;
  };
}

export interface UserInput {
  readonly email: string;
  readonly first_name?: string;
  readonly fields?: Record<string, string>;
}

/** What every campaign of the tests has. */
export const content = {
  from: { name: 'The shop', address: 'news@shop.example' },
  subject: 'Hello {{FirstName|friend}}',
  html: '<p>Hello {{FirstName|friend}}, <a href="https://example.com/spring?a=1&amp;b=2">look</a>.</p>',
  text: 'Hello {{FirstName|friend}}',
};

/** Calls of /v1 at a service, by the token of an account. */
export function v1At(url: string, token = DEMO_TOKEN) {
  return async (method: string, path: string, body?: unknown): Promise<V1Answer> => {
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as V1Answer['body'] };
  };
}

export type V1 = ReturnType<typeof v1At>;

/** What is done with lists and campaigns at a service. */
export function mailAt(v1: V1) {
  return {
    v1,

    /** A list with these users; its id. */
    async list(users: readonly UserInput[], settings: Record<string, unknown> = {}): Promise<string> {
      const made = await v1('POST', 'mail/lists', { name: 'list', ...settings });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      const id = made.body.id as string;
      for (let from = 0; from < users.length; from += 1_000) {
        const added = await v1('POST', `mail/lists/${id}/users`, { users: users.slice(from, from + 1_000) });
        assert.equal(added.status, 200, JSON.stringify(added.body));
      }
      return id;
    },

    /** Makes a campaign of the usual content; its id. */
    async send(lists: readonly string[], more: Record<string, unknown> = {}): Promise<string> {
      const made = await v1('POST', 'mail/campaigns', { ...content, lists, ...more });
      assert.equal(made.status, 202, JSON.stringify(made.body));
      return made.body.id as string;
    },

    async campaign(id: string): Promise<ShownCampaign> {
      const { status, body } = await v1('GET', `mail/campaigns/${id}`);
      assert.equal(status, 200);
      return body as unknown as ShownCampaign;
    },

    /** Waits until a campaign is `finished`. */
    async finished(id: string, limitMs?: number): Promise<ShownCampaign> {
      return waitFor(
        `campaign ${id} is finished`,
        async () => {
          const campaign = await this.campaign(id);
          return campaign.state === 'finished' && campaign;
        },
        limitMs,
      );
    },

    async mailbox(address: string): Promise<MailboxMail[]> {
      const { status, body } = await v1('GET', `sandbox/mailboxes/${encodeURIComponent(address)}`);
      assert.equal(status, 200);
      return body.mails as MailboxMail[];
    },
  };
}

/** A sandbox with mail. */
export async function startMail(settings: Record<string, string> = {}) {
  const service = await startTestService({ settings });
  return {
    service,
    ...mailAt(v1At(service.url)),

    /** That the demo account has so many credits less than `before`. */
    async assertSpent(before: number, credits: number): Promise<void> {
      assert.equal((before - (await service.balance())).toFixed(4), credits.toFixed(4));
    },
  };
}

let last = 0;
/** An address that no other test of the file uses. */
export const newAddress = (name = 'reader'): string => `${name}${++last}@example.com`;

/** The token of a return path, as a mail's headers have it in its Message-ID. */
export const tokenIn = (mail: MailboxMail): string => /^<(\w+)@/.exec(mail.headers['message-id']!)![1]!;
