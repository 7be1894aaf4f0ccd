import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A file of the console as it is sent. */
export interface ConsoleFile {
  readonly type: string;
  readonly plain: Buffer;
  /** Compressed when the console was built; absent for what is compressed anyway. */
  readonly br?: Buffer;
  readonly gzip?: Buffer;
  /** Its name has a hash of its content. */
  readonly immutable: boolean;
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
const consoles = new Map<string, ReadonlyMap<string, ConsoleFile>>();

/**
 * A console that was built (console/build.ts), in memory, by the paths that it is asked for (`/assets/x.js`). It is read
 * once in a process: a build that comes later does not change it. Undefined when none was built.
 */
export function readConsole(folder: string): ReadonlyMap<string, ConsoleFile> | undefined {
  const known = consoles.get(folder);
  if (known || !existsSync(join(folder, 'index.html'))) return known;
  const files = readFiles(folder);
  consoles.set(folder, files);
  return files;
}

function readFiles(folder: string): ReadonlyMap<string, ConsoleFile> {
  const files = new Map<string, ConsoleFile>();
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = types[extname(entry)];
    if (type === undefined) continue;
    const path = `/${entry.replaceAll('\\', '/')}`;
    const at = join(folder, entry);
    files.set(path, {
      type,
      plain: readFileSync(at),
      ...(existsSync(`${at}.br`) && { br: readFileSync(`${at}.br`) }),
      ...(existsSync(`${at}.gz`) && { gzip: readFileSync(`${at}.gz`) }),
      immutable: path.startsWith('/assets/'),
    });
  }
  return files;
}
