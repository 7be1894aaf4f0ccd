import { ROWS_A_STATEMENT } from '../../database/arrays.ts';
import { badField } from '../../kit/errors.ts';
import { forEachInSlices, TimeSlice } from '../../kit/time-slices.ts';
import type { MailAddress } from './addresses.ts';
import { MAX_FIELDS } from './user-input.ts';
import type { MailField, MailUser } from './user-rows.ts';

/* Computes the new state of users who are added to lists (additions.ts), before anything is stored. */

/** Maximum fields of one sort that a user may have in total: twice as many as one entry may contain. */
const MAX_USER_FIELDS = 2 * MAX_FIELDS;

/** A user to add, or changes to one. undefined keeps the value. */
export interface UserInput {
  readonly address: MailAddress;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly cellphone?: string | undefined;
  /** Other fields keep their values. */
  readonly sendFields?: readonly MailField[] | undefined;
  readonly systemFields?: readonly MailField[] | undefined;
  /** The new status; `active` restores the user from any status. */
  readonly status?: 'active' | 'removed' | 'deleted' | undefined;
}

/** A user, as far as additions read and change it. */
export type Existing = Pick<
  MailUser,
  'id' | 'address' | 'key' | 'firstName' | 'lastName' | 'cellphone' | 'sendFields' | 'systemFields' | 'status'
>;

/** A user without any data. */
export const nobody = {
  firstName: '',
  lastName: '',
  cellphone: '',
  sendFields: [],
  systemFields: [],
  status: 'active',
} as const;

/** Returns a user without data except the address. */
export const blank = ({ id, address, key }: Existing): Existing => ({ ...nobody, id, address, key });

/** Returns a user with the given changes. */
export const changed = (user: Existing, input: UserInput): Existing => ({
  ...user,
  firstName: input.firstName ?? user.firstName,
  lastName: input.lastName ?? user.lastName,
  cellphone: input.cellphone ?? user.cellphone,
  sendFields: mergeFields(user.sendFields, input.sendFields),
  systemFields: mergeFields(user.systemFields, input.systemFields),
});

function mergeFields(
  fields: readonly MailField[],
  given: readonly MailField[] | undefined,
): readonly MailField[] {
  if (!given || given.length === 0) return fields;
  const merged = new Map([...fields, ...given]);
  if (merged.size > MAX_USER_FIELDS && merged.size > fields.length) {
    throw badField('users', `over ${MAX_USER_FIELDS} fields of one sort for one user`, 'too-many', {
      max: MAX_USER_FIELDS,
    });
  }
  return [...merged];
}

const stored = (fields: readonly MailField[]) => (fields.length === 0 ? null : JSON.stringify(fields));

/** Whether two users have the same stored fields. */
export const sameFields = (one: Existing, other: Existing) =>
  one.firstName === other.firstName &&
  one.lastName === other.lastName &&
  one.cellphone === other.cellphone &&
  stored(one.sendFields) === stored(other.sendFields) &&
  stored(one.systemFields) === stored(other.systemFields);

/** A user with the fields in their stored form. */
export type Storable = Existing & {
  readonly storedSendFields: string | null;
  readonly storedSystemFields: string | null;
};

/** Maximum characters of fields in one statement; a larger user gets a statement alone: a user may have 200 KB. */
const CHARACTERS_A_STATEMENT = 256 * 1024;

/** Yields users in their stored form, in groups whose parameters can be written within one time slice. */
export async function* storable(users: Iterable<Existing>): AsyncGenerator<readonly Storable[]> {
  const slice = new TimeSlice();
  let some: Storable[] = [];
  let characters = 0;
  for (const user of users) {
    const storedSendFields = stored(user.sendFields);
    const storedSystemFields = stored(user.systemFields);
    some.push({ ...user, storedSendFields, storedSystemFields });
    characters += (storedSendFields?.length ?? 0) + (storedSystemFields?.length ?? 0);
    if (slice.isOverNow) await slice.rest();
    if (some.length < ROWS_A_STATEMENT && characters < CHARACTERS_A_STATEMENT) continue;
    yield some;
    some = [];
    characters = 0;
  }
  if (some.length > 0) yield some;
}

/** Merges entries with the same address; later values win. */
export async function merge(users: readonly UserInput[]): Promise<Map<string, UserInput>> {
  const merged = new Map<string, UserInput>();
  await forEachInSlices(users, (user) => {
    const before = merged.get(user.address.key);
    merged.set(user.address.key, before ? together(before, user) : user);
  });
  return merged;
}

const together = (one: UserInput, other: UserInput): UserInput => ({
  address: one.address,
  firstName: other.firstName ?? one.firstName,
  lastName: other.lastName ?? one.lastName,
  cellphone: other.cellphone ?? one.cellphone,
  sendFields: mergeFields(one.sendFields ?? [], other.sendFields),
  systemFields: mergeFields(one.systemFields ?? [], other.systemFields),
  status: other.status ?? one.status,
});

/** Returns the names of all given fields. */
export async function namesOf(users: Iterable<UserInput>): Promise<Set<string>> {
  const names = new Set<string>();
  const slice = new TimeSlice();
  for (const { sendFields = [], systemFields = [] } of users) {
    for (const [name] of sendFields) names.add(name);
    for (const [name] of systemFields) names.add(name);
    if (slice.isOverNow) await slice.rest();
  }
  return names;
}
