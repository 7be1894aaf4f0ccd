import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { addressesIn, networkOf } from '../../kit/http/addresses.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import { LoginThrottled } from '../../modules/login-throttle/counters.ts';
import type { LoginThrottle } from '../../modules/login-throttle/login-throttle.ts';
import { errorCode, errorName } from '../../protocols/smpp/errors.ts';
import type { BindPdu } from '../../protocols/smpp/pdu.ts';
import type { BindMode, SmppBinds } from './binds.ts';
import type { SmppClient, SmppClients } from './clients.ts';
import { refusedBinds } from './metrics.ts';
import type { SignedIn } from './session.ts';

interface SignInDeps extends Pick<Context, 'ids' | 'clock' | 'log'> {
  readonly accounts: Pick<Accounts, 'byId'>;
  readonly clients: SmppClients;
  readonly binds: SmppBinds;
  readonly throttle: Pick<LoginThrottle, 'run' | 'remember'>;
}

/** Connection of a bind. */
interface Peer {
  readonly address: string;
  readonly isSecure: boolean;
}

/** Name of the attempt in logs and in the audit log. */
const ENDPOINT = 'SMPP bind';

/** Versions that clients may speak; others get no bind. */
const versions: ReadonlySet<number> = new Set([0x00, 0x33, 0x34, 0x50]);

/** Checks the binds of clients. */
export class SignIn {
  readonly #deps: SignInDeps;
  /** The last check of each system id and network. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(deps: SignInDeps) {
    this.#deps = deps;
  }

  /**
   * Checks a bind and counts it towards the limit of its client. Resolves with the client, or with the command_status of a
   * refusal. A wrong password and an unknown system id have the same one. Rejects with errors of the database.
   */
  async check(pdu: BindPdu, mode: BindMode, peer: Peer): Promise<SignedIn | number> {
    const result = await this.#check(pdu, mode, peer);
    if (typeof result === 'number') refusedBinds.inc({ status: errorName(result) });
    return result;
  }

  async #check(pdu: BindPdu, mode: BindMode, peer: Peer): Promise<SignedIn | number> {
    const { clients, binds, ids, clock } = this.#deps;
    if (!versions.has(pdu.interfaceVersion)) return errorCode.ESME_RBINDFAIL;
    const client = await clients.bySystemId(pdu.systemId);
    // Guesses from other networks must not lock out the client, so they are not counted against it.
    if (client && client.addresses.length > 0 && !addressesIn(client.addresses)(peer.address))
      return errorCode.ESME_RBINDFAIL;
    const proved = await this.#inTurn(pdu, peer, () => this.#prove(pdu, client, peer));
    if (typeof proved === 'number') return proved;
    if (!(await this.#mayBind(proved, peer))) return errorCode.ESME_RBINDFAIL;
    const bind = {
      id: ids.next(),
      clientId: proved.id,
      mode,
      address: peer.address,
      secure: peer.isSecure,
      interfaceVersion: pdu.interfaceVersion,
      boundAt: clock.now(),
    };
    const isAdded = await binds.add(proved.accountId, bind, proved.maxBinds);
    return isAdded ? { client: proved, bindId: bind.id } : errorCode.ESME_RALYBND;
  }

  /**
   * Checks the binds that one network asks for at a time one after another. The login throttle counts an attempt before it is
   * checked, so it would refuse a client that opens many binds together.
   */
  async #inTurn<T>({ systemId }: BindPdu, { address }: Peer, check: () => Promise<T>): Promise<T> {
    const key = `${networkOf(address)} ${systemId}`;
    const checked = (this.#last.get(key) ?? Promise.resolve()).then(check, check);
    this.#last.set(key, checked);
    try {
      return await checked;
    } finally {
      if (this.#last.get(key) === checked) this.#last.delete(key);
    }
  }

  /** Compares the password, through the login throttle. */
  async #prove(
    { systemId, password }: BindPdu,
    client: SmppClient | undefined,
    { address }: Peer,
  ): Promise<SmppClient | number> {
    const { throttle, clients } = this.#deps;
    const who = client && {
      accountId: client.accountId,
      personId: undefined,
      smppClientId: client.id,
      username: client.systemId,
    };
    const attempt = {
      endpoint: ENDPOINT,
      among: 'smpp-clients',
      typed: systemId,
      who,
      place: { address },
    } as const;
    try {
      const { value } = await throttle.run(attempt, async () => {
        if (!client || !clients.isPassword(client.id, password))
          throw new Refusal('signed-out', 'system id or password is wrong');
        return { value: client, proven: true };
      });
      await throttle.remember(who!, { address }, false);
      return value;
    } catch (error) {
      if (error instanceof LoginThrottled) return errorCode.ESME_RBINDFAIL;
      if (!(error instanceof Refusal)) throw error;
      return error.code === 'signed-out' ? errorCode.ESME_RINVPASWD : errorCode.ESME_RBINDFAIL;
    }
  }

  async #mayBind({ accountId, enabled, tlsRequired }: SmppClient, { isSecure }: Peer): Promise<boolean> {
    if (!enabled || (tlsRequired && !isSecure)) return false;
    const account = await this.#deps.accounts.byId(accountId);
    return account !== undefined && !account.suspended;
  }
}
