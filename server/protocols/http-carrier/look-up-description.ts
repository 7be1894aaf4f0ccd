import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { checkExpressions, condition, MAX_RULES, sendDescription } from './description.ts';
import { namedDescription } from './named-description.ts';
import { checked, locator, text } from './schema-parts.ts';
import { usesOf } from './settings.ts';
import { DescriptionError } from './template.ts';

/* The description of a provider's HTTP interface that tells the mobile network of a number (docs/number-lookup.md). */

const PLACEHOLDERS: ReadonlySet<string> = new Set(['to.plus', 'to.digits', 'to.national']);

const rule = z
  .strictObject({
    when: condition,
    // biome-ignore lint/suspicious/noThenProperty: a text, which no promise takes for a function
    then: z.enum(['found', 'unknown', 'throttled', 'again']),
    /** Place of the time to wait: seconds, or a date. Default: the header Retry-After. */
    afterAt: locator.optional(),
    /** The provider accepts nothing from this account: nothing is looked up for a while. */
    fault: z.enum(['access', 'rejected']).optional(),
  })
  .refine(({ fault, then }) => fault === undefined || then === 'again', {
    path: ['fault'],
    message: 'is only for "then": "again"',
  });

const answer = z
  .strictObject({
    /** The first rule that matches decides; without a match the look-up has failed. */
    rules: z.array(rule).min(1).max(MAX_RULES),
    /** Place of MCC and MNC in one text, like `42501` or `425-01`. */
    network: locator.optional(),
    mcc: locator.optional(),
    mnc: locator.optional(),
    /** Holds for a number that was ported. */
    ported: condition.optional(),
    /** Holds for a number whose phone can be reached. */
    reachable: condition.optional(),
    /** Place of the seconds for which the answer is valid. */
    validSeconds: locator.optional(),
  })
  .superRefine((value, context) => {
    const isWhole = value.network !== undefined && value.mcc === undefined && value.mnc === undefined;
    const isSplit = value.network === undefined && value.mcc !== undefined && value.mnc !== undefined;
    if (!isWhole && !isSplit)
      context.addIssue({ code: 'custom', path: ['network'], message: 'give either network, or mcc and mnc' });
  });

const wholeDescription = z.strictObject({
  /** For people: the provider and its interface. */
  title: text.optional(),
  send: sendDescription,
  answer,
});

/** @throws DescriptionError for a placeholder of a message, and for expressions that could keep the event loop together */
function check({ send, answer: ofAnswer }: z.output<typeof wholeDescription>): void {
  if (send.batch) throw new DescriptionError('a look-up has one number in a request; remove send.batch');
  for (const name of usesOf({ send }, undefined).names) {
    if (!PLACEHOLDERS.has(name))
      throw new DescriptionError(`{${name}} is of a message; a look-up has only {to.…}`);
  }
  checkExpressions({ answer: ofAnswer });
}

const lookUpDescription = checked(wholeDescription, check);
export type LookUpDescription = z.output<typeof lookUpDescription>;

/** Files of the ready descriptions, by name. */
const files: Readonly<Record<string, URL>> = {
  twilio: new URL('look-ups/twilio.json', import.meta.url),
  hlrlookup: new URL('look-ups/hlrlookup.json', import.meta.url),
  budgetsms: new URL('look-ups/budgetsms.json', import.meta.url),
};

/** Names of the ready descriptions. */
export const readyLookUps: readonly string[] = Object.keys(files);

/** The description of a look-up: an object, or the name of a ready one. */
export const namedLookUp = namedDescription(
  lookUpDescription,
  (name) => (Object.hasOwn(files, name) ? JSON.parse(readFileSync(files[name]!, 'utf8')) : undefined),
  readyLookUps,
);
