import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import type { ByteRange } from '../../kit/http/byte-range.ts';
import type { TlsPeer } from '../../kit/tls-faults.ts';
import type { SpooledFile } from './spool.ts';
import type { MediaStore } from './store.ts';

/** A bucket of an S3-compatible store. */
export interface S3Settings {
  /** Address of the bucket, by path or by host, with an optional prefix of the keys. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Milliseconds to wait for a response; the bytes of a file may take longer. */
const ANSWER_MS = 30_000;
/** Milliseconds for the upload of a file, response included: 100 MiB at 4 Mbit/s. */
const PUT_MS = 210_000;
/** Milliseconds without data after which a download is aborted. */
const STALL_MS = 30_000;
const CONNECTIONS = 32;
/** Maximum characters of an unexpected response that an error message quotes. */
const MAX_DETAIL = 200;

/** Files in a bucket of an S3-compatible store. Requests are signed with AWS Signature Version 4. */
export class S3Store implements MediaStore {
  readonly #settings: S3Settings;
  readonly #base: string;
  readonly #peer: TlsPeer;
  readonly #agent = new Agent({
    connections: CONNECTIONS,
    connect: { timeout: 10_000 },
    headersTimeout: PUT_MS,
    bodyTimeout: STALL_MS,
  });

  constructor(settings: S3Settings, peer: TlsPeer) {
    this.#settings = settings;
    this.#base = settings.url.endsWith('/') ? settings.url.slice(0, -1) : settings.url;
    this.#peer = peer;
  }

  async put(key: string, { path, size, sha256 }: SpooledFile, type: string): Promise<void> {
    const headers = {
      'content-length': String(size),
      'content-type': type,
      // The store compares it with the received content.
      'x-amz-content-sha256': sha256,
    };
    const answer = await this.#request('PUT', key, {
      headers,
      body: createReadStream(path),
      limitMs: PUT_MS,
    });
    await this.#expect(answer, 'store', 200);
    await answer.body.dump();
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const answer = await this.#request('GET', key, {
      headers: range ? { range: `bytes=${range.first}-${range.last}` } : {},
    });
    if (answer.statusCode === 404) {
      await answer.body.dump();
      return undefined;
    }
    await this.#expect(answer, 'read', range ? 206 : 200);
    return answer.body;
  }

  async remove(key: string): Promise<void> {
    const answer = await this.#request('DELETE', key, {});
    if (answer.statusCode !== 404) await this.#expect(answer, 'remove', 200, 204);
    await answer.body.dump();
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #request(
    method: 'GET' | 'PUT' | 'DELETE',
    key: string,
    options: {
      readonly headers?: Record<string, string>;
      readonly body?: Readable;
      readonly limitMs?: number;
    },
  ): Promise<Dispatcher.ResponseData> {
    const { headers = {}, body = null, limitMs = ANSWER_MS } = options;
    const { url: _url, ...access } = this.#settings;
    const signed = await new AwsV4Signer({
      ...access,
      service: 's3',
      method,
      url: `${this.#base}/${key}`,
      headers,
    }).sign();
    const deadline = new AbortController();
    const timer = setTimeout(
      () => deadline.abort(new Error('the media store did not answer in time')),
      limitMs,
    );
    try {
      const answer = await request(signed.url, {
        method,
        headers: { ...Object.fromEntries(signed.headers), ...headers },
        body,
        dispatcher: this.#agent,
        signal: deadline.signal,
      });
      this.#peer.worked();
      return answer;
    } catch (error) {
      body?.destroy();
      this.#peer.failed(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #expect(answer: Dispatcher.ResponseData, what: string, ...statuses: number[]): Promise<void> {
    if (statuses.includes(answer.statusCode)) return;
    const said = await answer.body.text();
    throw new Error(
      `the media store did not ${what} a file: HTTP ${answer.statusCode} ${said.slice(0, MAX_DETAIL)}`,
    );
  }
}
