import type { ConnectorFault } from '../../../kit/connector-faults.ts';
import type { Context } from '../../../kit/context.ts';
import { PrefixTable } from '../../../kit/numbers/prefix-table.ts';
import { HttpLookUp, type LookUpResult } from '../../../protocols/http-carrier/look-up.ts';
import { type LookUpSettings, lookUpSettings } from '../../../protocols/http-carrier/look-up-settings.ts';
import type { MobileNetwork } from '../../carriers/network-condition.ts';
import type { NumberNetworks } from '../../carriers/number-networks.ts';
import type { CarrierNetwork } from '../network.ts';
import { LOOK_UP_ID, type StoredLookUp } from '../stored.ts';
import { DayBudget } from './day-budget.ts';
import { numberLookUps } from './metrics.ts';
import { type RememberedNumber, RememberedNumbers } from './remembered.ts';

/** Milliseconds that a message waits for what is remembered, while the database is slow. */
const CODE_WAIT_MS = 250;
/** Milliseconds for which it is remembered that a provider knows nothing of a number. */
const UNKNOWN_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Simultaneous look-ups without a provider: they only read what is remembered. */
const LIMIT_WITHOUT_PROVIDER = 200;
const STOP_GRACE_MS = 2_000;

interface NetworksDeps extends Pick<Context, 'sql' | 'clock' | 'log'> {
  readonly network: CarrierNetwork;
  /** Permits providers in private networks. */
  readonly allowPrivate: boolean;
}

/** A look-up that is in effect in this process. */
interface Current {
  readonly settings: LookUpSettings;
  readonly provider: HttpLookUp;
  readonly prefixes: PrefixTable<true>;
}

/** Networks of numbers: remembered ones, and those that the configured provider tells. */
export class Networks implements NumberNetworks {
  readonly #deps: NetworksDeps;
  readonly remembered: RememberedNumbers;
  readonly #budget: DayBudget;
  /** Numbers that are being looked up. */
  readonly #asking = new Map<string, Promise<MobileNetwork | null>>();
  #stored: StoredLookUp | undefined;
  #current: Current | undefined;
  #unwatch: (() => void) | undefined;
  #fault: ConnectorFault | undefined;

  constructor(deps: NetworksDeps) {
    this.#deps = deps;
    this.remembered = new RememberedNumbers(deps);
    this.#budget = new DayBudget(deps);
    deps.network.routing.lookUp((destination) => this.#current?.prefixes.find(destination) !== undefined);
    this.#follow();
    this.#unwatch = deps.network.watch(async () => this.#follow());
  }

  get limit(): number {
    return this.#current?.settings.window ?? LIMIT_WITHOUT_PROVIDER;
  }

  /** See NumberNetworks. */
  async of(destination: string, isCode: boolean): Promise<MobileNetwork | null> {
    const known = await this.#rememberedOf(destination);
    if (known) return counted('remembered', known.network);
    if (isCode) return counted('code', null);
    if (!this.#current?.prefixes.find(destination)) return counted('other', null);
    let asking = this.#asking.get(destination);
    if (!asking) {
      asking = this.#ask(destination, this.#current).finally(() => this.#asking.delete(destination));
      this.#asking.set(destination, asking);
    }
    return asking;
  }

  /**
   * Looks a number (E.164 digits) up, even if it is remembered, and remembers the answer. Undefined when there is no look-up, or it
   * is disabled; `spent` when the requests of the day are used up. Rejects with errors of the database.
   */
  async try(destination: string): Promise<LookUpResult | 'spent' | undefined> {
    if (!this.#current) return undefined;
    if (!(await this.#budget.take(this.#current.settings.perDay))) return 'spent';
    return this.#find(destination, this.#current);
  }

  /** Stores what was looked up, and aborts what is under way. */
  async stop(): Promise<void> {
    this.#unwatch?.();
    await this.#current?.provider.stop(STOP_GRACE_MS);
    this.#current = undefined;
    await this.remembered.stop();
  }

  /** Returns what is remembered of a number. A message does not wait for a database that is slow or away. */
  async #rememberedOf(destination: string): Promise<RememberedNumber | undefined> {
    const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), CODE_WAIT_MS);
    const found = this.remembered.find(destination).catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'networks of numbers could not be read');
      return undefined;
    });
    return Promise.race([found, tooLate]).finally(() => clearTimeout(timer));
  }

  async #ask(destination: string, current: Current): Promise<MobileNetwork | null> {
    if (!current.provider.isReady) return counted('failed', null);
    try {
      if (!(await this.#budget.take(current.settings.perDay))) return counted('spent', null);
      const result = await this.#find(destination, current);
      return counted(result.kind, result.kind === 'found' ? result.network : null);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'network of a number not looked up');
      return counted('failed', null);
    }
  }

  async #find(destination: string, { provider, settings }: Current): Promise<LookUpResult> {
    const result = await provider.find(destination);
    await this.#tell(result.kind === 'failed' ? (result.fault ?? provider.fault) : undefined);
    if (result.kind === 'failed') return result;
    const now = this.#deps.clock.now();
    const { network, ported, reachable } =
      result.kind === 'found' ? result : { network: null, ported: null, reachable: null };
    const validMs =
      network === null
        ? UNKNOWN_MS
        : (result.kind === 'found' && result.validMs) || settings.keepDays * DAY_MS;
    this.remembered.add(destination, { network, ported, reachable, validUntil: now + validMs });
    return result;
  }

  /** Stores why nothing can be looked up, when that changes. A failure of the database changes no result. */
  async #tell(fault: ConnectorFault | undefined): Promise<void> {
    if (fault?.reason === this.#fault?.reason && fault?.detail === this.#fault?.detail) return;
    this.#fault = fault;
    const { sql, log } = this.#deps;
    await sql`
      UPDATE number_look_ups SET fault = ${fault ? JSON.stringify(fault) : null}::jsonb
      WHERE id = ${LOOK_UP_ID}`.catch((error: unknown) => {
      log.warn({ err: error }, 'fault of the look-up of networks not stored');
    });
  }

  /** Uses the stored look-up. */
  #follow(): void {
    const { network, clock, log, allowPrivate } = this.#deps;
    const stored = network.stored.lookUp;
    if (stored === this.#stored || JSON.stringify(stored) === JSON.stringify(this.#stored)) return;
    this.#stored = stored;
    this.#budget.changed();
    const before = this.#current?.provider;
    this.#current = stored?.isEnabled ? currentOf(stored, { clock, log, allowPrivate }) : undefined;
    before?.stop(STOP_GRACE_MS).catch((error: unknown) => {
      log.error({ err: error }, 'look-up of networks not stopped');
    });
  }
}

function counted<T>(result: string, value: T): T {
  numberLookUps.inc({ result });
  return value;
}

/** Returns the look-up of stored settings; undefined when an update of a ready description needs other secrets. */
function currentOf(
  { settings: given, secrets }: StoredLookUp,
  deps: ConstructorParameters<typeof HttpLookUp>[1],
): Current | undefined {
  const read = lookUpSettings.safeParse({ ...given, secrets });
  if (!read.success) {
    deps.log.error('settings of the look-up of networks incomplete, it does not run');
    return undefined;
  }
  const settings = read.data;
  return {
    settings,
    provider: new HttpLookUp(settings, deps),
    prefixes: new PrefixTable(settings.prefixes.map((prefix) => [prefix, true as const])),
  };
}
