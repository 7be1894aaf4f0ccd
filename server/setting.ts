import { z } from 'zod';
import { type Hours, parseHours } from './day-hours.ts';

/*
 * What settings are declared with: those of config.ts, and those of the channels.
 */

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

/** What a setting may be, its default, and its meaning. */
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

/** Settings by their names. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** What settings are read to. */
export type ValuesOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]: z.output<Table[Name]['schema']>;
};
