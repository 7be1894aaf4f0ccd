import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A file of the console or of the documentation as it is sent. */
export interface BuiltFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Compressed when it was built; absent for what is compressed anyway. */
  readonly br?: Buffer;
  readonly gzip?: Buffer;
  /** Its name has a hash of its content. */
  readonly immutable: boolean;
  /** By which a browser asks whether it has changed. */
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

/** By folder: services of one process share what was read. */
const folders = new Map<string, ReadonlyMap<string, BuiltFile>>();

/**
 * What was built (tools/build-pages.ts), in memory, by the paths that it is asked for (`/assets/x.js`). It is read once in a
 * process: a build that comes later does not change it. Undefined when nothing was built.
 */
export function readBuilt(folder: string): ReadonlyMap<string, BuiltFile> | undefined {
  const known = folders.get(folder);
  if (known || !existsSync(join(folder, 'index.html'))) return known;
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

/** Sends a file as it was built, compressed as the browser likes; 304 to one that has it. */
export function sendBuilt(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  reply.headers({
    'content-type': file.type,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
    vary: 'accept-encoding',
  });
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const accepted = request.headers['accept-encoding'] ?? '';
  if (file.br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.br);
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.plain);
}
