import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

/** A form with a file, as a request body of known length (RFC 7578). */
interface Form {
  readonly body: Readable;
  /** Bytes. */
  readonly length: number;
  readonly contentType: string;
}

/**
 * Returns a form with these fields and the file `file`, which is read together with the body. Names, values and the
 * type are ours or the platform's, so nothing is escaped.
 */
export function formOf(
  fields: Readonly<Record<string, string>>,
  file: { readonly content: Readable; readonly size: number; readonly mimeType: string },
): Form {
  const boundary = `carillon-${randomBytes(18).toString('base64url')}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = Buffer.from(
    `${parts.join('')}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="file"\r\ncontent-type: ${file.mimeType}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* pieces() {
    yield head;
    yield* file.content;
    yield tail;
  }
  return {
    body: Readable.from(pieces(), { objectMode: false }),
    length: head.length + file.size + tail.length,
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}
