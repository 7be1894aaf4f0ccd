/** A list that a recipient is in. */
export interface ListOfRecipient {
  readonly id: number;
  readonly name: string;
}

/** A user of mailing lists. */
export interface ListUser {
  /** Address in the form in which addresses are compared and ordered. */
  readonly key: string;
  readonly id: number;
  /** Address, as it was added. */
  readonly address: string;
  /** First and last name; may be empty. */
  readonly name: string;
  /** Phone, as it was typed; may be empty. */
  readonly phone: string;
}

/** Query of a page of users. Empty texts match everyone. */
export interface ListUsersQuery {
  /** `key` of the last user of the previous page; '' for the first page. */
  readonly after: string;
  readonly limit: number;
  /** Part of the address or name, in lower case. */
  readonly text: string;
  /** Part of the phone, in digits as they were typed. */
  readonly digits: string;
}

/** Users of mailing lists, without deleted ones. */
export interface ListUsers {
  /** Returns a page in the order of the keys. */
  browse(accountId: number, query: ListUsersQuery): Promise<readonly ListUser[]>;
  /**
   * Returns users whose phone may be one of these numbers (E.164 digits): its last digits are the same. Callers compare the
   * whole number.
   */
  maybeWithPhones(accountId: number, phones: readonly string[]): Promise<readonly ListUser[]>;
  /** Returns those of these keys that are in a list. */
  has(accountId: number, listId: number, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns the lists of users with these ids, by id. */
  listsOf(
    accountId: number,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, readonly ListOfRecipient[]>>;
}
