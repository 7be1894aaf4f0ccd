import type { Query, Queryable, Row } from '../../database/connection.ts';

/** Digits at the end of a phone that all spellings of a number share. The index `mail_users_phone` has them. */
export const LAST_DIGITS = 7;

/** Returns the last digits of a number or a part of one, in digits. */
export const lastDigits = (digits: string): string => digits.slice(-LAST_DIGITS);

/** Digits of the phone of a user (alias `u`), which is stored as it was typed. */
export const digitsOf = (sql: Queryable): Query<Row[]> => sql`regexp_replace(u.cellphone, '[^0-9]', '', 'g')`;

/** Last seven digits of the phone of a user, as the index has them. */
export const lastDigitsOf = (sql: Queryable): Query<Row[]> => sql`right(${digitsOf(sql)}, 7)`;
