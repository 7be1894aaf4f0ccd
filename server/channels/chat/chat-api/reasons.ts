import { Unreadable } from '../../../api/bodies/json-body.ts';
import { Refusal, type RefusalCode } from '../../../kit/errors.ts';
import { FieldProblem } from './fields.ts';

/** Accepted. */
export const OK = 1;
// The same in all three tables (interface, "Errors").
const UNREADABLE = 2;
const GENERAL = 3;

/** Reasons of one operation by problem. */
export interface ReasonTable {
  /** By the domain's code; others are general errors. */
  readonly problems: Readonly<Partial<Record<RefusalCode, number>>>;
  /** By the invalid field; others are general errors. */
  readonly fields: Readonly<Record<string, number>>;
  readonly tooFast: number;
  /** Meanings of all reasons of the operation. */
  readonly meanings: ReadonlyMap<number, string>;
}

const everywhere = { 'unknown-source': UNREADABLE, 'bad-destination': 4 } as const;

const commonMeanings: readonly (readonly [number, string])[] = [
  [OK, 'accepted'],
  [UNREADABLE, '`source` is no business number of the account, or the body is not JSON'],
  [GENERAL, 'anything else: not enough credit, a suspended account, the service cannot do this now'],
  [4, '`destination` is empty or no phone number'],
];

/** A2 (interface, "Template send"; 23 and the messaging limit's 22 are from decisions, section 2). */
export const templateReasons: ReasonTable = {
  problems: {
    ...everywhere,
    'template-not-usable': 6,
    'unknown-template': 12,
    'bad-header-type': 14,
    'bad-variable-text': 14,
    'bad-header': 15,
    'bad-variables': 17,
    // The code of an authentication template is the only variable of its body.
    'bad-otp': 17,
    'bad-website-variable': 18,
    'too-long': 19,
    'bad-coupon': 20,
    'tier-reached': 22,
    'two-unanswered': 23,
  },
  fields: {
    dynamicFieldsObject: 12,
    couponCode: 20,
    couponExpiration: 20,
    language: 13,
    headerLink: 15,
    websiteVariable: 18,
    websiteVariable2: 18,
    otp: 17,
  },
  tooFast: 22,
  meanings: new Map([
    ...commonMeanings,
    [
      GENERAL,
      'anything else: not enough credit, a suspended account, a marketing template to a client who wants none, an hour at which the sending policy of the account permits no message, the service cannot do this now',
    ],
    [6, 'the template is not approved, paused, banned or deleted'],
    [12, 'there is no such template, or `dynamicFieldsObject` is not made of single values under `1` to `5`'],
    [13, '`language` differs from that of the template'],
    [
      14,
      '`headerLink` leads to another type than the template has, or a variable has a line break or four spaces in a row',
    ],
    [15, '`headerLink` is missing, is no address, is too large or leads nowhere'],
    [17, 'not as many variables as the template has, or an empty one; `otp` is missing or too long'],
    [18, '`websiteVariable` or `websiteVariable2` is missing'],
    [19, 'over 1,024 characters with the variables'],
    [20, '`couponCode` or `couponExpiration` is missing, too long or invalid'],
    [21, 'not returned: messages that the platform rejects for their volume wait and are retried'],
    [22, 'over the rate limit, or over the messaging limit of the portfolio; try again'],
    [23, 'two template messages have had no answer from the client'],
  ]),
};

/** Window problems of both kinds of free-form messages. */
const windowProblems = { 'window-closed': 7, 'never-written': 8 } as const;

const windowMeanings: readonly (readonly [number, string])[] = [
  [
    7,
    "over 24 hours since the client's last message, or a template message has had no answer: use a template",
  ],
  [8, 'the client has never written: use a template'],
];

/** A4 (interface, "Buttons"). */
export const buttonReasons: ReasonTable = {
  problems: { ...everywhere, ...windowProblems },
  fields: {
    header: 9,
    headerURL: 13,
    body: 5,
    footer: 10,
    button1: 11,
    button2: 12,
    button3: 12,
    buttonExternal: 14,
  },
  tooFast: 15,
  meanings: new Map([
    ...commonMeanings,
    [5, '`body` is empty or too long'],
    [
      6,
      'not returned: messages are accepted before the platform checks them, and `chat.status` reports refusals',
    ],
    ...windowMeanings,
    [9, '`header` is missing, or not 1 to 4'],
    [10, '`footer` is too long'],
    [11, '`button1` is missing or too long, or has an emoji together with `buttonExternal`'],
    [12, '`button2` or `button3` is too long, or says the same as another'],
    [13, '`headerURL` is missing, is no https address, or leads to nothing of its type and size'],
    [14, '`buttonExternal` is no https address, phone number or e-mail address'],
    [15, 'over the rate limit, try again'],
  ]),
};

/** A5 (interface, "Carousel"). */
export const carouselReasons: ReasonTable = {
  problems: { ...everywhere, ...windowProblems },
  fields: {
    message: 5,
    cards: 10,
    buttons: 11,
    cardX_headerLink: 12,
    cardX_body: 13,
    cardX_buttonExternal: 14,
    cardX_buttonExternalText: 15,
    cardX_button1: 16,
    cardX_button1ID: 17,
    cardX_button2: 18,
    cardX_button2ID: 19,
  },
  tooFast: 9,
  meanings: new Map([
    ...commonMeanings,
    [5, '`message` is empty or too long'],
    [
      6,
      'not returned: messages are accepted before the platform checks them, and `chat.status` reports refusals',
    ],
    ...windowMeanings,
    [9, 'over the rate limit, try again'],
    [10, 'cards are not numbered from 1 without gaps, or there are not 2 to 10'],
    [11, '`buttons` is not 1, 2 or 3'],
    [
      12,
      'a `cardX_headerLink` is missing, too long, of another type than that of card 1, or leads to nothing of its type and size',
    ],
    [
      13,
      'a `cardX_body` is too long, has more than two line breaks, or is there on some cards and not on others',
    ],
    [
      14,
      'a `cardX_buttonExternal` is missing, or no https address, phone number or e-mail address, or `buttons` is not 1',
    ],
    [15, 'a `cardX_buttonExternalText` is missing or too long, or `buttons` is not 1'],
    [16, 'a `cardX_button1` is missing or too long, or `buttons` is 1'],
    [17, 'a `cardX_button1ID` is too long or no text'],
    [18, 'a `cardX_button2` is missing, too long or the same as `cardX_button1`, or `buttons` is not 3'],
    [19, 'a `cardX_button2ID` is too long, no text, or the same as `cardX_button1ID`'],
  ]),
};

/** Returns the reason for an error. */
export function reasonOf(table: ReasonTable, error: unknown): number {
  if (error instanceof FieldProblem) return table.fields[error.field] ?? GENERAL;
  if (error instanceof Unreadable) return UNREADABLE;
  if (!(error instanceof Refusal)) return GENERAL;
  return error.code === 'too-fast' ? table.tooFast : (table.problems[error.code] ?? GENERAL);
}
