import type { Answer, Body, OperationName, PagedName, Query, RequestOptions, Row } from './operations.ts';
import type { Pages } from './pages.ts';
import type { Operations } from './schema.ts';

/**
 * The methods of a client, like `client.sms.send(…)`, and their operations. `client.request` supports every operation.
 */
export const resources = {
  account: { get: 'GET /v1/account' },
  sms: { send: 'POST /v1/sms', estimate: 'POST /v1/sms/estimate' },
  codes: { send: 'POST /v1/otp', check: 'POST /v1/otp/check', estimate: 'POST /v1/otp/estimate' },
  chat: {
    sendTemplate: 'POST /v1/chat/messages',
    sendButtons: 'POST /v1/chat/buttons',
    sendCarousel: 'POST /v1/chat/carousels',
    sendCampaign: 'POST /v1/chat/campaigns',
    numbers: 'GET /v1/chat/numbers',
    window: 'GET /v1/chat/window',
  },
  chatTemplates: {
    list: 'GET /v1/chat/templates',
    get: 'GET /v1/chat/templates/{id}',
    create: 'POST /v1/chat/templates',
    delete: 'DELETE /v1/chat/templates/{id}',
  },
  mail: {
    sendCampaign: 'POST /v1/mail/campaigns',
    estimate: 'POST /v1/mail/campaigns/estimate',
    sendTest: 'POST /v1/mail/campaigns/test',
  },
  mailingLists: {
    list: 'GET /v1/mail/lists',
    get: 'GET /v1/mail/lists/{id}',
    create: 'POST /v1/mail/lists',
    delete: 'DELETE /v1/mail/lists/{id}',
    users: 'GET /v1/mail/lists/{id}/users',
    addUsers: 'POST /v1/mail/lists/{id}/users',
  },
  messages: {
    list: 'GET /v1/messages',
    get: 'GET /v1/messages/{id}',
    content: 'GET /v1/messages/{id}/content',
    retry: 'POST /v1/messages/{id}/retry',
  },
  shipments: {
    list: 'GET /v1/shipments',
    get: 'GET /v1/shipments/{id}',
    pause: 'POST /v1/shipments/{id}/pause',
    resume: 'POST /v1/shipments/{id}/resume',
    cancel: 'POST /v1/shipments/{id}/cancel',
  },
  campaigns: {
    list: 'GET /v1/campaigns',
    get: 'GET /v1/campaigns/{id}',
    pause: 'POST /v1/campaigns/{id}/pause',
    resume: 'POST /v1/campaigns/{id}/resume',
    cancel: 'POST /v1/campaigns/{id}/cancel',
    reschedule: 'POST /v1/campaigns/{id}/reschedule',
    failedRecipients: 'GET /v1/campaigns/{id}/failed-recipients',
  },
  conversations: {
    list: 'GET /v1/conversations',
    get: 'GET /v1/conversations/{id}',
    change: 'PATCH /v1/conversations/{id}',
    timeline: 'GET /v1/conversations/{id}/timeline',
    reply: 'POST /v1/conversations/{id}/replies',
  },
  contactLists: {
    list: 'GET /v1/contact-lists',
    get: 'GET /v1/contact-lists/{id}',
    create: 'POST /v1/contact-lists',
    rename: 'PATCH /v1/contact-lists/{id}',
    delete: 'DELETE /v1/contact-lists/{id}',
    contacts: 'GET /v1/contact-lists/{id}/contacts',
    addContacts: 'POST /v1/contact-lists/{id}/contacts',
    removeContacts: 'POST /v1/contact-lists/{id}/contacts/remove',
  },
  blacklist: {
    list: 'GET /v1/blacklist',
    add: 'POST /v1/blacklist',
    remove: 'POST /v1/blacklist/remove',
  },
  sources: {
    list: 'GET /v1/sources',
    verify: 'POST /v1/sources/verify',
    askForName: 'POST /v1/sources/names',
  },
  webhooks: {
    list: 'GET /v1/webhooks',
    get: 'GET /v1/webhooks/{id}',
    create: 'POST /v1/webhooks',
    change: 'PATCH /v1/webhooks/{id}',
    delete: 'DELETE /v1/webhooks/{id}',
    enable: 'POST /v1/webhooks/{id}/enable',
    test: 'POST /v1/webhooks/{id}/test',
    secret: 'GET /v1/webhooks/{id}/secret',
    rotateSecret: 'POST /v1/webhooks/{id}/secret',
    events: 'GET /v1/webhooks/{id}/events',
  },
  deliveries: {
    list: 'GET /v1/webhook-deliveries',
    replay: 'POST /v1/webhook-deliveries/{id}/replay',
    replayAll: 'POST /v1/webhook-deliveries/replay',
  },
  wallet: {
    get: 'GET /v1/wallet',
    ledger: 'GET /v1/wallet/ledger',
    transfer: 'POST /v1/wallet/transfer',
  },
  subscribers: {
    list: 'GET /v1/subscribers',
    get: 'GET /v1/subscribers/{id}',
    create: 'POST /v1/subscribers',
  },
  requests: { list: 'GET /v1/request-log' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, OperationName>>>>;

/** Options of a method with a body: the account for which it acts is in the query. */
export interface MethodOptions extends RequestOptions {
  /** Username of a subscriber for whom the request acts; default is the account of the token. */
  readonly username?: string | undefined;
}

type Id<Name extends OperationName> = Operations[Name] extends { path: unknown } ? [id: string] : [];

type Given<Name extends OperationName> =
  Body<Name> extends undefined
    ? Operations[Name] extends { query: infer Asked }
      ? [query: Asked, options?: RequestOptions]
      : [query?: Query<Name>, options?: RequestOptions]
    : [body: Body<Name>, options?: MethodOptions];

type Result<Name extends OperationName> = Name extends PagedName
  ? Pages<Answer<Name>, Row<Name>>
  : Promise<Answer<Name>>;

/** A method of a resource: the id if the path has one, then the body, or the query if there is no body. */
export type Method<Name extends OperationName> = (...given: [...Id<Name>, ...Given<Name>]) => Result<Name>;

/** The resources of a client. */
export type Resources = {
  readonly [Resource in keyof typeof resources]: {
    readonly [Name in keyof (typeof resources)[Resource]]: (typeof resources)[Resource][Name] extends OperationName
      ? Method<(typeof resources)[Resource][Name]>
      : never;
  };
};
