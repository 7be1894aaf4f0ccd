import { folded } from '../../kit/text/folded.ts';
import { KeywordFinder } from './keywords.ts';
import type { ConversationRule } from './rules.ts';

/** Maximum characters of a message to compare with keywords. */
const MAX_COMPARED = 4_000;

/** Properties of a message that rules compare. */
export interface RuleMessage {
  /** The name of the channel. */
  readonly channel: string;
  readonly sender: string;
  readonly text: string;
  /** Whether it began the conversation, or reopened it. */
  readonly isFirst: boolean;
  /** Called only if a rule depends on it. */
  readonly isOpen: () => boolean;
}

interface Compiled {
  readonly rule: ConversationRule;
  readonly keywords: readonly string[];
}

/**
 * The enabled rules of an account, prepared so that matching takes time proportional to the text, not to the number of
 * keywords.
 */
export class RuleSet {
  readonly #rules: readonly Compiled[];
  readonly #finder: KeywordFinder;

  /** @param rules in their order */
  constructor(rules: readonly ConversationRule[]) {
    this.#rules = rules
      .filter(({ enabled }) => enabled)
      .map((rule) => ({ rule, keywords: rule.keywords.map(folded).filter((keyword) => keyword !== '') }));
    this.#finder = new KeywordFinder(
      this.#rules.flatMap(({ rule, keywords }) => (rule.match === 'contains' ? keywords : [])),
    );
  }

  /** Returns the rules that match a message, in their order, up to the first that stops. */
  matching(message: RuleMessage): ConversationRule[] {
    if (this.#rules.length === 0) return [];
    const text = folded(message.text.slice(0, MAX_COMPARED));
    const found = this.#finder.find(text);
    const matching: ConversationRule[] = [];
    for (const { rule, keywords } of this.#rules) {
      if (!saysOneOf(text, rule.match, keywords, found) || !isFor(rule, message)) continue;
      matching.push(rule);
      if (rule.stop) break;
    }
    return matching;
  }
}

function saysOneOf(
  text: string,
  match: ConversationRule['match'],
  keywords: readonly string[],
  found: ReadonlySet<string>,
): boolean {
  if (keywords.length === 0) return true;
  switch (match) {
    case 'exact':
      return keywords.includes(text);
    case 'starts':
      return keywords.some((keyword) => text.startsWith(keyword));
    case 'contains':
      return keywords.some((keyword) => found.has(keyword));
  }
}

function isFor(rule: ConversationRule, { channel, sender, isFirst, isOpen }: RuleMessage): boolean {
  if (rule.first_only && !isFirst) return false;
  if (rule.channels.length > 0 && !rule.channels.includes(channel)) return false;
  if (rule.senders.length > 0 && !rule.senders.includes(sender)) return false;
  return rule.when === 'always' || isOpen() === (rule.when === 'open-hours');
}
