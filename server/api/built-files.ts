import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../kit/observability/log.ts';

/** A file of the console or the documentation, ready to be sent. */
export interface BuiltFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Compressed at build time; absent for files in compressed formats. */
  readonly br?: Buffer;
  readonly gzip?: Buffer;
  /** Its name contains a hash of its content. */
  readonly immutable: boolean;
  /** For conditional requests of browsers. */
  readonly etag: string;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};

/** By folder: services in one process share the files. */
const folders = new Map<string, ReadonlyMap<string, BuiltFile>>();

/** Options for reading built pages. */
interface ReadBuiltOptions {
  /** Name in the log: "the console". */
  readonly name: string;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Returns the files that tools/build.ts wrote, in memory, by request path (`/assets/x.js`). A process reads them
 * once, so a later build does not change them. Without a build, logs a warning and returns undefined.
 */
export function readBuilt(
  folder: string,
  { name, log }: ReadBuiltOptions,
): ReadonlyMap<string, BuiltFile> | undefined {
  const known = folders.get(folder);
  if (known) return known;
  if (!existsSync(join(folder, 'index.html'))) {
    log.warn(`${name} is not built: run \`npm run build\`, then start this process again`);
    return undefined;
  }
  const files = readFiles(folder);
  folders.set(folder, files);
  return files;
}

function readFiles(folder: string): ReadonlyMap<string, BuiltFile> {
  const files = new Map<string, BuiltFile>();
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = types[extname(entry)];
    if (type === undefined) continue;
    const path = `/${entry.replaceAll('\\', '/')}`;
    const at = join(folder, entry);
    const plain = readFileSync(at);
    files.set(path, {
      type,
      plain,
      etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
      ...(existsSync(`${at}.br`) && { br: readFileSync(`${at}.br`) }),
      ...(existsSync(`${at}.gz`) && { gzip: readFileSync(`${at}.gz`) }),
      immutable: path.startsWith('/assets/'),
    });
  }
  return files;
}

/** Sends a built file with the compression that the browser prefers; 304 if the browser has it. */
export function sendBuilt(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  reply.headers({
    'content-type': file.type,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
  });
  const accepted = request.headers['accept-encoding'] ?? '';
  if (file.br && /\bbr\b/.test(accepted)) return sendForm(request, reply, file, 'br');
  if (file.gzip && /\bgzip\b/.test(accepted)) return sendForm(request, reply, file, 'gzip');
  return sendForm(request, reply, file, 'plain');
}

/** Sends a file in one encoding. Each encoding has its own tag, because equal strong tags promise equal bytes (RFC 9110, 8.8.1). */
function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  file: BuiltFile,
  form: 'plain' | 'br' | 'gzip',
): FastifyReply {
  const etag = form === 'plain' ? file.etag : file.etag.replace(/"$/, `-${form}"`);
  reply.header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  if (form !== 'plain') reply.header('content-encoding', form);
  return reply.send(file[form]);
}
