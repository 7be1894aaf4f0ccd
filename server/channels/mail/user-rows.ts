import type { Queryable } from '../../database/connection.ts';
import type { UserStatus } from './statuses.ts';

/** A field of a user: name and value. */
export type MailField = readonly [key: string, value: string];

/** A user of an account's mailing lists. Times in milliseconds since the epoch. */
export interface MailUser {
  readonly id: number;
  /** As first written. */
  readonly address: string;
  /** In normalised form. */
  readonly key: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly cellphone: string;
  readonly sendFields: readonly MailField[];
  readonly systemFields: readonly MailField[];
  readonly status: UserStatus;
  /** Whether a delivery, or their own choice, has confirmed that they receive emails. */
  readonly heard: boolean;
  /** Cause, reason and time of the last change of status; '' and null: never changed. */
  readonly statusBy: string;
  readonly statusReason: string;
  readonly statusAt: number | null;
  readonly createdAt: number;
}

/** The columns of a MailUser, of `mail_users` as `u`. */
export const userColumns = (
  sql: Queryable,
) => sql`u.id, u.address, u.address_key AS key, u.first_name AS "firstName",
  u.last_name AS "lastName", u.cellphone, coalesce(u.send_fields, '[]') AS "sendFields",
  coalesce(u.system_fields, '[]') AS "systemFields", u.status, u.heard, u.status_by AS "statusBy",
  u.status_reason AS "statusReason", u.status_at AS "statusAt", u.created_at AS "createdAt"`;
