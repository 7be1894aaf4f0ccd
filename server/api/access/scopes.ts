/** Scopes of API tokens. A token has at least one scope. No scope gives access to people or tokens. */
export const tokenScopes = ['send', 'read', 'contacts', 'codes', 'webhooks', 'billing'] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** Meaning of each scope, a sentence for descriptions. */
export const scopeMeanings: Readonly<Record<TokenScope, string>> = {
  send: 'send, pause, resume and cancel messages and campaigns, and register senders',
  read: 'read messages, incoming messages, reports and statistics',
  contacts: 'read and change contact lists, mailing lists and the blacklist',
  codes: 'send and validate one-time codes',
  webhooks:
    'register, change and remove webhook endpoints, read their secrets, and receive all events with their texts',
  billing: 'read balances, and move credit to and from subscribers',
};

/** The scopes that two lists have in common, in the order of `tokenScopes`. */
export function commonScopes(one: readonly TokenScope[], other: readonly TokenScope[]): TokenScope[] {
  return tokenScopes.filter((scope) => one.includes(scope) && other.includes(scope));
}
