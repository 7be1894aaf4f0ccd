/*
 * Where the rows of each table are on a PostgreSQL distributed by Citus
 * (docs/decisions/0005-sql-that-can-be-distributed.md): every table is listed here once, and the partitions of a table are
 * where the table is.
 */

/** Distributed by `account_id`: all rows of an account are in one shard group, so that its statements reach one node. */
const byAccount = [
  // First: the others are placed as it is.
  'wallets',
  'ledger',
  'sources',
  'blacklist',
  'blacklist_removals',
  'shipments',
  'messages',
  'dispatch_batches',
  'carrier_messages',
  'send_keys',
  'recipient_sends',
  'incoming',
  'event_batches',
  'event_queue',
  'deliveries',
  'event_backlogs',
  'contact_lists',
  'contacts',
  'csv_jobs',
  'csv_chunks',
  'csv_refusals',
  'campaigns',
  'campaign_texts',
  'kept_requests',
  'drafts',
  'short_links',
  'clicks',
  'otp_sends',
  'otp_spending',
  'otp_blocks',
  'guarded_sends',
  'otp_lifts',
  'chat_templates',
  'chat_template_statuses',
  'chat_template_submissions',
  'chat_template_syncs',
  'chat_windows',
  'chat_reached',
  'chat_reach',
  'chat_months',
  'chat_incoming',
  'chat_received',
  'chat_users',
  'chat_stops',
  'chat_campaign_phones',
  'conversations',
  'conversation_entries',
  'conversation_labels',
  'conversation_tasks',
  'saved_replies',
  'conversation_rules',
  'conversation_settings',
  'media',
  'mail_lists',
  'mail_users',
  'mail_members',
  'mail_discarded',
  'mail_confirmations',
  'mail_contents',
  'mail_templates',
  'mail_returns',
  'mail_incoming',
  'mail_received',
  'message_hours',
  'message_hours_changed',
  'delivery_hours',
  'shipment_counts',
  'request_log',
  'audit_log',
  'text_removals',
  'data_subject_requests',
  'data_subject_chunks',
  'suppressions',
  'consents',
  'consent_heads',
  'consent_subjects',
  'work',
] as const;

/** Distributed by another column, which is all that is known when a row is looked up. */
const byColumn = { link_codes: 'number' } as const;

/**
 * On the coordinator alone: small, with keys or locks of the whole installation, or looked through for work of any
 * account. As reference tables they could not be written while one worker is down.
 */
const onCoordinator = [
  'migrations',
  'state',
  'processes',
  'installation_keys',
  'accounts',
  'account_holds',
  'retention',
  'tokens',
  'prices',
  'sending_policies',
  'destination_rules',
  'people',
  'people_rules',
  'sessions',
  'person_links',
  'recovery_codes',
  'passkeys',
  'sign_in_providers',
  'sign_in_domains',
  'sign_in_flows',
  'person_identities',
  'passkey_challenges',
  'sign_in_attempts',
  'known_sign_ins',
  'phone_verifications',
  'source_requests',
  'inbound_numbers',
  'alert_rules',
  'alert_incidents',
  'alert_notifications',
  'alert_defaults',
  'alert_contacts',
  'budget_uses',
  'budget_limits',
  'asked_recipients',
  'event_endpoints',
  'event_listeners',
  'links',
  'connectors',
  'carrier_routes',
  'retired_routes',
  'link_code_numbers',
  'mail_numbers',
  'chat_portfolios',
  'chat_numbers',
  'chat_standings',
  'chat_early_statuses',
  'early_receipts',
  'incoming_parts',
  'quarantine',
] as const;

/** Where the rows of a table are: by a column, or undefined for the coordinator. */
interface TablePlacement {
  readonly table: string;
  readonly column: string | undefined;
}

/** The table that the other tables by account are placed with. */
export const FIRST_TABLE = byAccount[0];

/** Every table once, in the order in which they are distributed. */
export const tablePlacements: readonly TablePlacement[] = [
  ...byAccount.map((table) => ({ table, column: 'account_id' })),
  ...Object.entries(byColumn).map(([table, column]) => ({ table, column })),
  ...onCoordinator.map((table) => ({ table, column: undefined })),
];
