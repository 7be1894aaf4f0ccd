let last = 10_000;

/** A mobile (`05xxxxxxxx`) that no other test of the file uses, and whose ending means delivery in the sandbox. */
export function newPhone(): string {
  do last += 1;
  while (/000[1-7]$/.test(String(last)));
  return `0500${String(last).padStart(6, '0')}`;
}

/** The stored form of a number. */
export const stored = (local: string): string => `972${local.slice(1)}`;

/** Returns `count` new numbers. */
export const newPhones = (count: number): string[] => Array.from({ length: count }, newPhone);
