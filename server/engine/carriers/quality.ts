import type { Choice, QualityRule, Share } from './route.ts';

/** Number of leading digits by which deliveries are counted: country and, in most countries, the type of number. */
export const QUALITY_DIGITS = 5;
/** Least messages, newer ones counting more, from which a share says something. */
const MIN_SAMPLES = 50;
/** Standard deviations below the observed share: the true share is above the bound with 95 % probability. */
const Z = 1.645;

/** Outcomes of the messages to a prefix over a connector. Newer messages count more, so the numbers are not whole. */
export interface Quality {
  readonly prefix: string;
  readonly connector: string;
  readonly delivered: number;
  /** Messages with a known outcome, and those that wait for their receipt for more than half an hour. */
  readonly samples: number;
  /** One-time codes that can no longer be used, and those of them that were; 0 without codes. */
  readonly codes?: number;
  readonly used?: number;
}

/** Verdict on a connector for a prefix. */
type Verdict = 'good' | 'unknown' | 'poor';

/** Returns the lower bound of the delivered share, from 0 to 1, by Wilson's score interval. */
export function lowerBound({ delivered, samples }: Pick<Quality, 'delivered' | 'samples'>): number {
  if (samples === 0) return 0;
  const share = delivered / samples;
  const centre = share + Z ** 2 / (2 * samples);
  const margin = Z * Math.sqrt((share * (1 - share)) / samples + Z ** 2 / (4 * samples ** 2));
  return (centre - margin) / (1 + Z ** 2 / samples);
}

/** The measured qualities of connectors by prefix. */
export class QualityBook {
  readonly #byKey: ReadonlyMap<string, Quality>;

  constructor(qualities: readonly Quality[]) {
    this.#byKey = new Map(qualities.map((quality) => [keyOf(quality.prefix, quality.connector), quality]));
  }

  /** Returns the quality of a connector for a number (E.164 digits); undefined: there are no messages. */
  of(destination: string, connector: string): Quality | undefined {
    return this.#byKey.get(keyOf(destination.slice(0, QUALITY_DIGITS), connector));
  }
}

/** Judges a measured share by the least one; undefined: there are no messages. */
export function verdictOf(known: Pick<Quality, 'delivered' | 'samples'> | undefined, least: number): Verdict {
  if (!known || known.samples < MIN_SAMPLES) return 'unknown';
  return lowerBound(known) >= least ? 'good' : 'poor';
}

/** Returns the share of used codes in the form that `lowerBound` and `verdictOf` take. */
export const usedShare = ({ used = 0, codes = 0 }: Quality) => ({ delivered: used, samples: codes });

/** Judges a connector by all shares that a rule compares: it is as good as the worst of them. */
function verdictBy(
  known: Quality | undefined,
  { minDelivered, minUsed }: QualityRule,
  isCode: boolean,
): Verdict {
  const verdicts = [
    minDelivered === undefined ? 'good' : verdictOf(known, minDelivered),
    minUsed === undefined || !isCode ? 'good' : verdictOf(known && usedShare(known), minUsed),
  ];
  return verdicts.includes('poor') ? 'poor' : verdicts.includes('unknown') ? 'unknown' : 'good';
}

/** Whether a rule compares shares for such a message: some compare only those of one-time codes. */
export const judges = ({ minDelivered, minUsed }: QualityRule, isCode: boolean): boolean =>
  minDelivered !== undefined || (isCode && minUsed !== undefined);

interface JudgedMessage {
  /** E.164 digits. */
  readonly destination: string;
  readonly isCode: boolean;
  readonly isExploring: boolean;
}

/**
 * Returns the groups of a route for a message: good connectors first, then unknown ones, then poor ones. An exploring message
 * tries the unknown ones first, so that the service measures connectors that it would otherwise not use.
 */
export function judged(
  route: {
    readonly name: string;
    readonly groups: readonly (readonly Share[])[];
    readonly rule: QualityRule;
  },
  { destination, isCode, isExploring }: JudgedMessage,
  book: QualityBook,
): Choice {
  const of = (wanted: Verdict) =>
    route.groups
      .map((group) =>
        group.filter(
          ({ connector }) => verdictBy(book.of(destination, connector), route.rule, isCode) === wanted,
        ),
      )
      .filter((group) => group.length > 0);
  const [good, unknown, poor] = [of('good'), of('unknown'), of('poor')];
  const groups = isExploring ? [...unknown, ...good, ...poor] : [...good, ...unknown, ...poor];
  return { key: `${route.name}|${JSON.stringify(groups)}`, groups };
}

const keyOf = (prefix: string, connector: string) => `${prefix} ${connector}`;
