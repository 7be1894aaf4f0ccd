import { readFileSync } from 'node:fs';

/*
 * Settings from files, as Docker and Kubernetes provide secrets: `NAME_FILE` contains the path of a file with the value
 * of the setting `NAME`. Every setting is read through `settingFrom`.
 */

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that cannot be read. The message names it, and never its value. */
export class SettingFileError extends Error {}

/** Value of a setting, with the path of its file, if any. */
export interface FoundSetting {
  readonly value: string;
  readonly file?: string;
}

/**
 * Returns a setting of the environment or of the file that `NAME_FILE` names, without white space around it; undefined if neither has
 * a value.
 *
 * @throws SettingFileError if both are set, or if the file is empty or cannot be read
 */
export function settingFrom(environment: Environment, name: string): FoundSetting | undefined {
  const value = environment[name]?.trim() || undefined;
  const fileSetting = `${name}_FILE`;
  const file = environment[fileSetting]?.trim() || undefined;
  if (file === undefined) return value === undefined ? undefined : { value };
  if (value !== undefined)
    throw new SettingFileError(`${name} and ${fileSetting} are both set: remove one of them`);
  const content = readSettingFile(fileSetting, file);
  if (content === '') throw new SettingFileError(`${fileSetting} names an empty file: ${file}`);
  return { value: content, file };
}

function readSettingFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new SettingFileError(`${name} cannot be read: ${(error as Error).message}`);
  }
}
