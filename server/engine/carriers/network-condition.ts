import { countryOf } from '../../kit/numbers/countries.ts';
import { mobileCountryCodesOf } from '../../kit/numbers/mobile-country-codes.ts';

/** The mobile network of a number: its country code (MCC) and its code in the country (MNC), digits (ITU-T E.212). */
export interface MobileNetwork {
  readonly mcc: string;
  readonly mnc: string;
}

/** A network in a condition: `425` is every network of the country code, `425-01` one network. */
export const NETWORK_FORM = /^(\d{3})(?:-(\d{2,3}))?$/;

/** Returns a network as conditions name it, like `425-01`. */
export const nameOfNetwork = ({ mcc, mnc }: MobileNetwork): string => `${mcc}-${mnc}`;

/** Networks that a route takes. */
export class NetworkCondition {
  /** Country codes of which every network fits. */
  readonly #countries = new Set<string>();
  /** MNCs that fit by country code, as numbers: `1` and `01` are the same network. */
  readonly #networks = new Map<string, Set<number>>();

  /** @param networks as `NETWORK_FORM` */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [, mcc = '', mnc] = NETWORK_FORM.exec(network) ?? [];
      if (mnc === undefined) this.#countries.add(mcc);
      else this.#networks.set(mcc, (this.#networks.get(mcc) ?? new Set()).add(Number(mnc)));
    }
  }

  /**
   * Whether a number is of one of the networks; undefined if that depends on its network, which was not looked up.
   *
   * @param destination E.164 digits
   * @param network null: it is not known, so only the country of the number counts; undefined: it was not looked up yet
   */
  holds(destination: string, network: MobileNetwork | null | undefined): boolean | undefined {
    if (network)
      return (
        this.#countries.has(network.mcc) || this.#networks.get(network.mcc)?.has(Number(network.mnc)) === true
      );
    const codes = mobileCountryCodesOf(countryOf(destination));
    if (codes.some((code) => this.#countries.has(code))) return true;
    const canHold = codes.length === 0 || codes.some((code) => this.#networks.has(code));
    return network === null || !canHold ? false : undefined;
  }
}
