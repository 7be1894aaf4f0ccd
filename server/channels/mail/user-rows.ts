import type { UserStatus } from './statuses.ts';

/** A field of a user: its name and what they have in it. */
export type MailField = readonly [key: string, value: string];

/** A user of an account's mailing lists. Times in milliseconds since the epoch. */
export interface MailUser {
  readonly id: number;
  /** As it was given first. */
  readonly address: string;
  /** In the form in which addresses are compared. */
  readonly key: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly cellphone: string;
  readonly sendFields: readonly MailField[];
  readonly systemFields: readonly MailField[];
  readonly status: UserStatus;
  /** Whether they are known to get mails, by a delivery or a choice of their own. */
  readonly heard: boolean;
  /** Who or what changed the status last, in which words, and when; '' and null: nobody has. */
  readonly statusBy: string;
  readonly statusReason: string;
  readonly statusAt: number | null;
  readonly createdAt: number;
}

/** The row of `mail_users`. */
export interface MailUserRow {
  readonly id: number;
  readonly address: string;
  readonly address_key: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly cellphone: string;
  readonly send_fields: MailField[] | null;
  readonly system_fields: MailField[] | null;
  readonly status: UserStatus;
  readonly heard: boolean;
  readonly status_by: string;
  readonly status_reason: string;
  readonly status_at: number | null;
  readonly created_at: number;
}

export const userColumns = [
  'id',
  'address',
  'address_key',
  'first_name',
  'last_name',
  'cellphone',
  'send_fields',
  'system_fields',
  'status',
  'heard',
  'status_by',
  'status_reason',
  'status_at',
  'created_at',
] as const satisfies (keyof MailUserRow)[];

export const toUser = (row: MailUserRow): MailUser => ({
  id: row.id,
  address: row.address,
  key: row.address_key,
  firstName: row.first_name,
  lastName: row.last_name,
  cellphone: row.cellphone,
  sendFields: row.send_fields ?? [],
  systemFields: row.system_fields ?? [],
  status: row.status,
  heard: row.heard,
  statusBy: row.status_by,
  statusReason: row.status_reason,
  statusAt: row.status_at,
  createdAt: row.created_at,
});
