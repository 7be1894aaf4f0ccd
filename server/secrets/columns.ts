/** A column of sealed values. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The table's primary key. Its values, with a slash between, are the row that the value is sealed for. */
  readonly key: readonly [string, ...string[]];
  /** The purpose that the values are sealed for. */
  readonly purpose: string;
}

/**
 * Every column of sealed values: a rotation goes over them. A column that is not here keeps its values under an old key,
 * and they are lost with it.
 */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'installation_keys', column: 'sealed', key: ['purpose'], purpose: 'installation_keys.sealed' },
  { table: 'people', column: 'totp_secret', key: ['id'], purpose: 'people.totp_secret' },
  {
    table: 'sign_in_providers',
    column: 'client_secret',
    key: ['id'],
    purpose: 'sign_in_providers.client_secret',
  },
  { table: 'sessions', column: 'provider_id_token', key: ['id'], purpose: 'sessions.provider_id_token' },
  { table: 'event_endpoints', column: 'secret', key: ['id'], purpose: 'event_endpoints.secret' },
  // A secret that is replaced moves here as it is.
  { table: 'event_endpoints', column: 'old_secret', key: ['id'], purpose: 'event_endpoints.secret' },
  { table: 'chat_portfolios', column: 'access_token', key: ['id'], purpose: 'chat_portfolios.access_token' },
  { table: 'connectors', column: 'password', key: ['name'], purpose: 'connectors.password' },
  { table: 'messages', column: 'secret_text', key: ['account_id', 'id'], purpose: 'messages.secret_text' },
  {
    table: 'send_keys',
    column: 'sealed_answer',
    key: ['account_id', 'key'],
    purpose: 'send_keys.sealed_answer',
  },
  {
    table: 'data_subject_requests',
    column: 'sealed',
    key: ['account_id', 'id'],
    purpose: 'data_subject_requests.sealed',
  },
];
