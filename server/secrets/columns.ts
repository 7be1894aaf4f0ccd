/** A column of sealed values. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The table's primary key. Its values, with a slash between, are the row that the value is sealed for. */
  readonly key: readonly [string, ...string[]];
  /** The purpose that the values are sealed for. */
  readonly purpose: string;
  /**
   * Where the secret is sent: the settings of the row that name the destination (`keepSecret` of destinations.ts);
   * `configuration` where only the configuration of the service names it; `nowhere`: it never leaves the service as it is.
   */
  readonly sentTo: readonly string[] | 'configuration' | 'nowhere';
}

/**
 * Every column of sealed values: a rotation goes over them. A column that is not here keeps its values under an old key,
 * and they are lost with it.
 */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'installation_keys',
    column: 'sealed',
    key: ['purpose'],
    purpose: 'installation_keys.sealed',
    sentTo: 'nowhere',
  },
  { table: 'people', column: 'totp_secret', key: ['id'], purpose: 'people.totp_secret', sentTo: 'nowhere' },
  {
    table: 'sign_in_providers',
    column: 'client_secret',
    key: ['id'],
    purpose: 'sign_in_providers.client_secret',
    sentTo: ['issuer'],
  },
  {
    table: 'sessions',
    column: 'provider_id_token',
    key: ['id'],
    purpose: 'sessions.provider_id_token',
    sentTo: 'nowhere',
  },
  {
    table: 'event_endpoints',
    column: 'secret',
    key: ['id'],
    purpose: 'event_endpoints.secret',
    sentTo: 'nowhere',
  },
  // A secret that is replaced moves here as it is.
  {
    table: 'event_endpoints',
    column: 'old_secret',
    key: ['id'],
    purpose: 'event_endpoints.secret',
    sentTo: 'nowhere',
  },
  {
    table: 'chat_portfolios',
    column: 'access_token',
    key: ['id'],
    purpose: 'chat_portfolios.access_token',
    sentTo: 'configuration',
  },
  {
    table: 'connectors',
    column: 'password',
    key: ['name'],
    purpose: 'connectors.password',
    sentTo: ['host', 'port', 'tls', 'uri'],
  },
  {
    table: 'messages',
    column: 'secret_text',
    key: ['account_id', 'id'],
    purpose: 'messages.secret_text',
    sentTo: 'nowhere',
  },
  {
    table: 'send_keys',
    column: 'sealed_answer',
    key: ['account_id', 'key'],
    purpose: 'send_keys.sealed_answer',
    sentTo: 'nowhere',
  },
  {
    table: 'data_subject_requests',
    column: 'sealed',
    key: ['account_id', 'id'],
    purpose: 'data_subject_requests.sealed',
    sentTo: 'nowhere',
  },
];
