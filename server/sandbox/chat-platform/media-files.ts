import { hash } from 'node:crypto';
import { noObject, PlatformRefusal } from './errors.ts';

const MIB = 1024 * 1024;
/** Of all files; the oldest go first. */
const KEPT_BYTES = 200 * MIB;
const ADDRESS_MS = 300_000;

/** What the platform takes to be sent, by the type of its message: bytes at most, and types. */
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

/** The types of messages that are a file. */
export const fileTypes: readonly string[] = Object.keys(sendable);

/** A file on the platform. */
export interface PlatformFile {
  readonly id: string;
  /** The business account that it was sent to or uploaded by. */
  readonly accountId: string;
  readonly bytes: Buffer;
  readonly mimeType: string;
}

/** Files that phones have sent and businesses have uploaded. */
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

  /** PlatformRefusal for a file that the platform would not take from a business. */
  checkUpload(bytes: Buffer, mimeType: string): void {
    const fitting = Object.values(sendable).filter(({ types }) => types.includes(mimeType));
    if (fitting.length === 0)
      throw new PlatformRefusal(100, 'Param file must be a file with one of the types');
    if (bytes.length === 0 || fitting.every(({ most }) => bytes.length > most)) {
      throw new PlatformRefusal(131053, 'the file is empty or too large');
    }
  }

  /** A file that may be sent as a message of a type; PlatformRefusal when the account has none such. */
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

  /** What the platform tells of a file to its account; the address is good for 5 minutes. PlatformRefusal without one. */
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

  /** The file at an address, for its account; undefined when the address is too old, or not its. */
  at(accountId: string, id: string, expires: string | undefined, now: number): PlatformFile | undefined {
    const file = this.#files.get(id);
    const isOpen = Number.parseInt(expires ?? '', 36) > now;
    return isOpen && file?.accountId === accountId ? file : undefined;
  }
}

/** A SHA-256 as webhooks have it, in base64, or as answers do. */
export const digestOf = (bytes: Buffer, as: 'base64' | 'hex'): string => hash('sha256', bytes, as);
