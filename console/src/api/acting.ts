/*
 * For whom the console acts, when that is not the account of who is signed in: operators name any account, owners one of
 * their subscribers. For this tab alone, so that two can be open side by side.
 */

/** Account that an operator acts for. */
export interface ActingFor {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

const KEY = 'carillon-acting-for';

/** Routes about the signed-in person or the installation; they ignore the account that the person acts for. */
const own = /^\/v1\/(session|operator|sandbox)(\/|$)/;

export function actingFor(): ActingFor | null {
  const kept = sessionStorage.getItem(KEY);
  return kept === null ? null : (JSON.parse(kept) as ActingFor);
}

/**
 * Acts for an account from now on; null ends that. The caller has to load the first page again, because the data on the
 * screen belongs to the previous account.
 */
export function actFor(account: ActingFor | null): void {
  if (account === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(account));
}

/** Adds the account that the person acts for to an address under /v1. */
export function forAccount(address: string): string {
  const account = actingFor();
  const url = new URL(address, location.origin);
  if (account === null || own.test(url.pathname) || url.searchParams.has('username')) return address;
  url.searchParams.set('username', account.username);
  return url.href;
}
