import { z } from 'zod';
import { type Hours, parseHours } from './day-hours.ts';

/* Schemas for declaring settings: those of config.ts, and those of the channels. */

export const whole = (least: number, most: number) =>
  z.coerce
    .number({ error: `must be a whole number from ${least} to ${most}` })
    .int(`must be a whole number from ${least} to ${most}`)
    .min(least, `must be a whole number from ${least} to ${most}`)
    .max(most, `must be a whole number from ${least} to ${most}`);

export const onOff = z
  .enum(['on', 'off'], { error: 'must be on or off' })
  .transform((value) => value === 'on');
export const onOffAuto = z.enum(['on', 'off', 'auto'], { error: 'must be on, off or auto' });
export const text = z.string();
export const hours = text.transform((value, context): Hours => {
  const read = parseHours(value);
  if (read) return read;
  context.addIssue({ code: 'custom', message: 'must be hours like 08:00-21:00' });
  return z.NEVER;
});
export const price = z
  .string()
  .regex(
    /^\d{1,6}(\.\d{1,4})?$/,
    'must be an amount like 1 or 0.25, below a million and with four places at most',
  );

/** The permitted values of a setting, its default, and its description. */
export interface Setting<T> {
  readonly schema: z.ZodType<T>;
  readonly fallback?: string;
  readonly about: string;
}

export const setting = <T>(
  schema: z.ZodType<T>,
  fallback: string | undefined,
  about: string,
): Setting<T> => ({
  schema,
  fallback,
  about,
});

/** Settings by name. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** Values of parsed settings. */
export type ValuesOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]: z.output<Table[Name]['schema']>;
};
