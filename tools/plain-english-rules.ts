/*
 * Rules of plain English (CONTRIBUTING.md, "English"), each a pattern of a sentence that a reader has to decode, and what to
 * write. A sentence that breaks none can still be bad: a text is good when an engineer who never saw Carillon understands it
 * at the first reading.
 */

/** Kind of a sentence: the description of an operation or of a field, a title, log line or screen text, or prose. */
export type Role = 'operation' | 'field' | 'phrase' | 'prose';

interface Rule {
  readonly pattern: RegExp;
  readonly advice: string;
  /** Roles of the first sentence of a text for which the rule is; all without it. */
  readonly roles?: readonly Role[];
  /** Whether a sentence that does not match breaks the rule. */
  readonly isRequired?: boolean;
}

const rules: readonly Rule[] = [
  {
    roles: ['operation'],
    isRequired: true,
    // A template may begin with a sentence that several operations share.
    pattern: /^(?:X|[A-Z][a-z]+s)\b/,
    advice: 'begin the description of an operation with a verb in the third person: "Lists the accounts."',
  },
  {
    roles: ['field'],
    pattern: /^(?:When|How|Why|Where|Which|Until|Since|Of|Its|Their)\b/,
    advice:
      'describe a field by a noun phrase with its unit and format: "Time of the last attempt, ISO 8601"',
  },
  {
    pattern: /^(?:What|Whatever|Who|Whoever|Whom|Whose|Those|That which)\b(?!.*\?$)/,
    advice: 'begin with the noun that the sentence is about',
  },
  {
    pattern: /\b(?:what|who|those who) (?:is|are|was|were) (?:not )?(?:there|here)\b/i,
    advice: 'exists, is present',
  },
  {
    pattern: /\b(?:that|which) (?:is|are|was|were) (?:not )?there\b/,
    advice: 'that exists, that is missing',
  },
  {
    pattern: /\b(?:is|are|was|were|be|been) (?:told|given|known|had|asked for|looked for|waited for)\b/,
    advice: 'say who does it, with an exact verb: reports, passes, detects, requests, searches',
  },
  {
    pattern: /\bso (?:many|much|long|often|late|far back)\b(?! (?:as|that)\b)/,
    advice: 'name the limit: "the maximum of …", "for this number of seconds"',
  },
  {
    pattern: /\b(?:is|are|has|have|was|were) none\b|\b(?:of|in|for) none\b/,
    advice: 'write "no …" or "without …" with the noun',
  },
  {
    pattern:
      /\b(?:becom|came|com)(?:e|es|ing)? (?:of|to nothing)\b|\bwhat (?:it|they) c(?:o|a)mes? to\b|\bbecame of\b/,
    advice: 'name the result or the outcome',
  },
  {
    pattern:
      /\b(?:give|gives|given|gave|giving) (?:up|back)\b|\bhand(?:s|ed|ing)? over\b|\bt(?:ake|akes|aken|ook) back\b/,
    advice: 'use the term: abandon, refund, return, submit, reverse',
  },
  {
    pattern: /\b(?:stand|stands|stood) (?:for|in|there|here)\b|\bgo(?:es)? on\b|\bwent on\b|\bsays? so\b/,
    advice: 'use the plain verb: means, is in, appears, continues, configures',
  },
  {
    pattern: /\b(?:anew|meanwhile|whereto|wherefrom|therein|thereof|likewise|hereby|from then on|of old)\b/,
    advice: 'write "again", "in the meantime", "after that", or leave it out',
  },
  {
    pattern: /\bany more\b|\bat once\b/,
    advice: 'write "no longer"; "immediately", "concurrently" or "together"',
  },
  {
    pattern: /\bbeside\b|\bbesides\b/,
    advice: 'write "in addition to", "next to", "with" or "while … runs"',
  },
  {
    pattern: /\bby (?:itself|themselves)\b|\bof (?:its|their) own accord\b/,
    advice: 'write "automatically" or "alone"',
  },
  {
    pattern: /\b(?:he|him|his|himself|she|her|hers|herself)\b/,
    advice: 'write "they", "them" and "their" for people',
  },
];

/** Returns the advice of the first rule that a sentence breaks; undefined when it breaks no rule. */
export const problemOf = (sentence: string, role: Role): string | undefined =>
  rules.find(
    ({ pattern, roles, isRequired = false }) =>
      (!roles || roles.includes(role)) && pattern.test(sentence) !== isRequired,
  )?.advice;
