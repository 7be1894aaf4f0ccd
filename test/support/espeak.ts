import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledEspeak } from '../../server/channels/voice/speech/espeak.ts';

/** The setting for services of tests when espeak-ng is not installed (test/run.ts); undefined when it is. */
export const VOICE_ESPEAK = process.env.CARILLON_TEST_ESPEAK;

/**
 * Writes a program that speaks with the espeak-ng of npm. It answers `--version` without loading the WebAssembly, which
 * takes 0.35 s of processor time, because each start of a service asks for it. Undefined where espeak-ng is installed, or
 * without a shell.
 */
export function writeEspeak(folder: string): string | undefined {
  if (process.platform === 'win32' || spawnSync('espeak-ng', ['--version']).error === undefined) {
    return undefined;
  }
  const path = join(folder, 'espeak-ng');
  const { command, args } = bundledEspeak;
  const words = [command, ...args].map((word) => `'${word}'`).join(' ');
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] && exit 0\nexec ${words} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}
