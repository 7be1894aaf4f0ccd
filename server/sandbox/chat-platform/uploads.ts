import { randomBytes } from 'node:crypto';
import { dropOldest } from '../inbox.ts';
import { PlatformRefusal } from './errors.ts';

const keptSamples = 20;
const keptSessions = 100;

interface Sample {
  readonly bytes: Buffer;
  readonly mimeType: string;
}

/** Uploads of templates' examples: a session, then the bytes, then a handle. Keeps the last 20. */
export class Uploads {
  readonly #sessions = new Map<string, { readonly length: number; readonly mimeType: string }>();
  readonly #samples = new Map<string, Sample>();

  /** Begins an upload and returns its session id. */
  begin(length: number, mimeType: string): string {
    if (!(length > 0) || !/^[\w.+-]+\/[\w.+-]+$/.test(mimeType)) {
      throw new PlatformRefusal(100, 'file_length and file_type are required');
    }
    const session = `upload:${randomBytes(12).toString('base64url')}`;
    this.#sessions.set(session, { length, mimeType });
    dropOldest(this.#sessions, keptSessions);
    return session;
  }

  /** Stores the bytes of a session and returns their handle. */
  finish(session: string, bytes: Buffer): string {
    const begun = this.#sessions.get(session);
    if (!begun) throw new PlatformRefusal(100, 'no such upload session');
    if (begun.length !== bytes.length) throw new PlatformRefusal(100, 'not as long as file_length');
    this.#sessions.delete(session);
    const handle = `4::${randomBytes(18).toString('base64url')}`;
    this.#samples.set(handle, { bytes, mimeType: begun.mimeType });
    dropOldest(this.#samples, keptSamples);
    return handle;
  }

  get(handle: string): Sample | undefined {
    return this.#samples.get(handle);
  }
}
