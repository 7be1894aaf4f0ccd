import { hash } from 'node:crypto';
import { noObject, PlatformRefusal } from './errors.ts';

const MIB = 1024 * 1024;
/** Maximum bytes of all files; the oldest are dropped. */
const KEPT_BYTES = 200 * MIB;
const ADDRESS_MS = 300_000;

/** Files that the platform accepts for sending, by message type: maximum bytes, and media types. */
const sendable: Readonly<Record<string, { readonly most: number; readonly types: readonly string[] }>> = {
  image: { most: 5 * MIB, types: ['image/jpeg', 'image/png'] },
  video: { most: 16 * MIB, types: ['video/mp4', 'video/3gpp'] },
  audio: {
    most: 16 * MIB,
    types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
  },
  sticker: { most: MIB / 2, types: ['image/webp'] },
  document: {
    most: 100 * MIB,
    types: [
      'text/plain',
      'application/pdf',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ],
  },
};

/** Message types that are a file. */
export const fileTypes: readonly string[] = Object.keys(sendable);

/** A file on the platform. */
export interface PlatformFile {
  readonly id: string;
  /** Business account that received or uploaded the file. */
  readonly accountId: string;
  readonly bytes: Buffer;
  readonly mimeType: string;
}

/** Files that phones sent and businesses uploaded. */
export class MediaFiles {
  readonly #files = new Map<string, PlatformFile>();
  #bytes = 0;

  add(file: PlatformFile): void {
    this.#files.set(file.id, file);
    this.#bytes += file.bytes.length;
    for (const [id, { bytes }] of this.#files) {
      if (this.#bytes <= KEPT_BYTES) break;
      this.#files.delete(id);
      this.#bytes -= bytes.length;
    }
  }

  /** Throws PlatformRefusal for a file that the platform would not accept from a business. */
  checkUpload(bytes: Buffer, mimeType: string): void {
    const fitting = Object.values(sendable).filter(({ types }) => types.includes(mimeType));
    if (fitting.length === 0)
      throw new PlatformRefusal(100, 'Param file must be a file with one of the types');
    if (bytes.length === 0 || fitting.every(({ most }) => bytes.length > most)) {
      throw new PlatformRefusal(131053, 'the file is empty or too large');
    }
  }

  /**
   * Returns a file for a message of this type. Throws PlatformRefusal when the account has no such file or the type
   * does not fit.
   */
  toSend(accountId: string, id: string, type: string): PlatformFile {
    const file = this.#files.get(id);
    const { most, types } = sendable[type]!;
    if (file?.accountId !== accountId)
      throw new PlatformRefusal(131009, `${type}.id is not a valid media id`);
    if (!types.includes(file.mimeType) || file.bytes.length > most) {
      throw new PlatformRefusal(131053, `the file cannot be sent as ${type}`);
    }
    return file;
  }

  get(id: string): PlatformFile | undefined {
    return this.#files.get(id);
  }

  /**
   * Returns the platform's description of a file for its account; the address is valid for 5 minutes. Throws
   * PlatformRefusal when the account has no such file.
   */
  describe(accountId: string, id: string, origin: string, now: number): object {
    const file = this.#files.get(id);
    if (file?.accountId !== accountId) throw noObject(id);
    const expires = (now + ADDRESS_MS).toString(36);
    return {
      messaging_product: 'whatsapp',
      url: `${origin}/media-files/${id}?oe=${expires}`,
      mime_type: file.mimeType,
      sha256: digestOf(file.bytes, 'hex'),
      file_size: file.bytes.length,
      id,
    };
  }

  /**
   * Returns the file at an address for its account; undefined when the address has expired or belongs to another
   * account.
   */
  at(accountId: string, id: string, expires: string | undefined, now: number): PlatformFile | undefined {
    const file = this.#files.get(id);
    const isOpen = Number.parseInt(expires ?? '', 36) > now;
    return isOpen && file?.accountId === accountId ? file : undefined;
  }
}

/** Returns a SHA-256: base64 in webhooks, hexadecimal in answers. */
export const digestOf = (bytes: Buffer, as: 'base64' | 'hex'): string => hash('sha256', bytes, as);
