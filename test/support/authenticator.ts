import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

/** How an answer is to differ from that of an honest browser and authenticator. */
export interface Forgery {
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether it has verified its user. */
  readonly verified?: boolean;
  readonly challenge?: string;
  readonly type?: string;
  readonly counter?: number;
  readonly userHandle?: string;
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer) => bytes.toString('base64url');

/** An authenticator with one passkey (ES256, WebAuthn Level 3, 6.1), and the browser that asks it. */
export class SoftAuthenticator {
  readonly #origin: string;
  readonly #key: { publicKey: KeyObject; privateKey: KeyObject };
  readonly id = base64url(randomBytes(32));
  #handle = '';
  /** How often it has signed. */
  counter = 0;

  /** @param origin of the pages that ask it */
  constructor(origin: string) {
    this.#origin = origin;
    this.#key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** Response of a browser that created a passkey. */
  create(options: Options, forgery: Forgery = {}) {
    this.#handle = options.user!.id;
    const { x, y } = this.#key.publicKey.export({ format: 'jwk' });
    const id = Buffer.from(this.id, 'base64url');
    const cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x!, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y!, 'base64url'),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const data = Buffer.concat([this.#data(options, forgery, 0x40), Buffer.alloc(16), length, id, cose]);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(data.length);
    // {"fmt": "none", "attStmt": {}, "authData": data}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461' + '59', 'hex'),
      size,
      data,
    ]);
    return {
      id: this.id,
      response: {
        clientDataJSON: base64url(this.#clientData('webauthn.create', options, forgery)),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      },
    };
  }

  /** Response of a browser that proves a passkey. */
  get(options: Options, forgery: Forgery = {}) {
    const clientData = this.#clientData('webauthn.get', options, forgery);
    const data = this.#data(options, forgery, 0);
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#key.privateKey);
    return {
      id: this.id,
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: forgery.userHandle ?? this.#handle,
      },
    };
  }

  #clientData(type: string, { challenge }: Options, forgery: Forgery): Buffer {
    const { origin = this.#origin } = forgery;
    return Buffer.from(
      JSON.stringify({
        type: forgery.type ?? type,
        challenge: forgery.challenge ?? challenge,
        origin,
        crossOrigin: false,
      }),
    );
  }

  #data(options: Options, forgery: Forgery, flags: number): Buffer {
    this.counter = forgery.counter ?? this.counter + 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const host = forgery.rpId ?? options.rp?.id ?? options.rpId!;
    const verified = (forgery.verified ?? true) ? 0x04 : 0;
    return Buffer.concat([sha256(host), Buffer.from([0x01 | verified | flags]), counter]);
  }
}
