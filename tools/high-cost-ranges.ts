import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { HighCostKind, HighCostRanges } from '../server/kit/numbers/high-cost-ranges.ts';

/*
 * Writes server/kit/numbers/high-cost-ranges.json: the prefixes of numbers that are expensive for their caller or sender
 * and pay their owner a share. The national ranges come from the metadata of libphonenumber, which describes them as
 * regular expressions: this program searches for the shortest prefixes whose valid numbers are all of such a type. Run
 * it after an update of the library, and review the difference before you commit it.
 */

const FILE = new URL('../server/kit/numbers/high-cost-ranges.json', import.meta.url);

/** ITU codes of networks without a country. */
const global: Readonly<Record<Exclude<HighCostKind, 'premium-rate' | 'personal'>, readonly string[]>> = {
  satellite: ['870', '881'],
  'global-network': ['878', '882', '883', '888', '979'],
};

/** Maximum digits of a national prefix, and numbers tried for each prefix and length. */
const MAX_DIGITS = 5;
const TRIES = 60;

/** Indexes of the types in the metadata. */
const kinds = { 3: 'premium-rate', 4: 'personal' } as const;

interface Metadata {
  readonly version: number;
  readonly country_calling_codes: Readonly<Record<string, readonly string[]>>;
  /** By country: possible lengths at index 3, and `[pattern, lengths]` of each type at index 11. */
  readonly countries: Readonly<Record<string, readonly unknown[]>>;
}

interface NumberType {
  readonly kind: (typeof kinds)[keyof typeof kinds] | undefined;
  readonly pattern: RegExp;
  readonly lengths: readonly number[];
}

/** Returns digits of a sequence that is the same in each run, so that the file changes only with the metadata. */
function createDigits(): (count: number) => string {
  let state = 1;
  return (count) =>
    Array.from({ length: count }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return state % 10;
    }).join('');
}

function typesOf(country: readonly unknown[]): NumberType[] {
  const types = (country[11] ?? []) as readonly (readonly [string, (readonly number[])?] | 0)[];
  return types.flatMap((type, index) =>
    type !== 0 && type[0] !== ''
      ? [
          {
            kind: kinds[index as keyof typeof kinds],
            pattern: new RegExp(`^(?:${type[0]})$`),
            lengths: type[1] ?? (country[3] as readonly number[]),
          },
        ]
      : [],
  );
}

/** Returns the national prefixes of one calling code whose valid numbers are all of a kind. */
function prefixesOf(
  types: readonly NumberType[],
  kind: HighCostKind,
  digits: (count: number) => string,
): string[] {
  if (!types.some((type) => type.kind === kind)) return [];
  const lengths = [...new Set(types.flatMap((type) => type.lengths))];
  const found: string[] = [];
  const visit = (prefix: string): void => {
    let hits = 0;
    let others = 0;
    for (const length of lengths.filter((one) => one > prefix.length)) {
      for (let i = 0; i < TRIES; i++) {
        const number = prefix + digits(length - prefix.length);
        const of = types.filter((type) => type.lengths.includes(length) && type.pattern.test(number));
        if (of.some((type) => type.kind === undefined)) others++;
        else if (of.some((type) => type.kind === kind)) hits++;
      }
    }
    if (hits > 0 && others === 0 && prefix !== '') found.push(prefix);
    else if (prefix.length < (hits > 0 ? MAX_DIGITS : 3)) for (let d = 0; d < 10; d++) visit(`${prefix}${d}`);
  };
  visit('');
  return found;
}

const jsonOf = (path: string): unknown =>
  JSON.parse(readFileSync(createRequire(import.meta.url).resolve(path), 'utf8'));
const metadata = jsonOf('libphonenumber-js/metadata.max.json') as Metadata;
const library = jsonOf('libphonenumber-js/package.json') as { readonly version: string };
const digits = createDigits();
const national: Record<'premium-rate' | 'personal', string[]> = { 'premium-rate': [], personal: [] };
for (const [code, countries] of Object.entries(metadata.country_calling_codes)) {
  const types = countries.flatMap((country) => typesOf(metadata.countries[country]!));
  for (const kind of Object.values(kinds)) {
    national[kind].push(...prefixesOf(types, kind, digits).map((prefix) => code + prefix));
  }
}
const table: HighCostRanges = {
  source: `libphonenumber-js ${library.version}, with the codes of the ITU for networks of no country`,
  ranges: {
    ...global,
    'premium-rate': national['premium-rate'].sort(),
    personal: national.personal.sort(),
  },
};
writeFileSync(FILE, `${JSON.stringify(table, null, 2)}\n`);
