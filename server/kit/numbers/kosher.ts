/*
 * Kosher phones receive calls but no SMS. They are recognised by their first digits: ranges that the networks reserve
 * for lines approved by the Rabbinical Committee for Communications. No official machine-readable list exists.
 */

/** Prefixes of kosher numbers (E.164 digits), with their source and the date of its last check. */
export const kosherTable = {
  source:
    'ranges as published by Vaad Bnei Torah for users of telephone services; 050-41, 052-71 and 052-76 also in The Jerusalem Post, 17 July 2024',
  date: '2026-11-21',
  prefixes: [
    // Mobile: Pelephone, Cellcom, Hot Mobile, Partner, virtual operators on their networks, Golan
    '9725041',
    '9725271',
    '9725276',
    '9725331',
    '9725341',
    '9725484',
    '9725485',
    '9725532',
    '97255400',
    '9725541',
    '9725552',
    '9725567',
    '9725576',
    '9725832',
    // Landlines of Bezeq: (0X) 80X-XXXX
    '972280',
    '972380',
    '972480',
    '972880',
    '972980',
  ],
} as const;

/** Whether a number (E.164 digits) begins with one of the prefixes. */
export function createKosherCheck(prefixes: readonly string[]): (phone: string) => boolean {
  const known = new Set(prefixes);
  const lengths = [...new Set(prefixes.map((prefix) => prefix.length))];
  return (phone) => lengths.some((length) => known.has(phone.slice(0, length)));
}
