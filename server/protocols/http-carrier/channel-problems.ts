import { callRefusalNames, callStateNames, refusalNames, stateNames } from './state-names.ts';
import { callNames, DescriptionError, type JsonTemplate, Template, textsOfJson } from './template.ts';

/* Parts of a description that belong to the other channel. */

interface Problem {
  readonly path: (string | number)[];
  readonly message: string;
}

interface Rules {
  readonly rules: readonly { readonly as?: string | undefined }[];
}

interface ChannelFields {
  readonly channel: 'sms' | 'voice';
  readonly languages?: unknown;
  readonly send: {
    readonly url: string;
    readonly query: Readonly<Record<string, string>>;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?:
      | { readonly form: Readonly<Record<string, string>> }
      | { readonly json: JsonTemplate }
      | { readonly xml: string }
      | undefined;
  };
  readonly answer: Rules & { readonly items?: Rules | undefined };
  readonly reports?: { readonly states: Readonly<Record<string, string>> } | undefined;
  readonly incoming?: unknown;
  readonly poll?: { readonly incoming?: unknown } | undefined;
}

/** Returns the parts of a description that do not belong to its channel. */
export function channelProblems(description: ChannelFields): Problem[] {
  const { channel, languages, answer, reports, incoming, poll } = description;
  const isCall = channel === 'voice';
  const problems: Problem[] = [];
  const states: readonly string[] = isCall ? callStateNames : stateNames;
  for (const [word, state] of Object.entries(reports?.states ?? {}))
    if (!states.includes(state))
      problems.push({ path: ['reports', 'states', word], message: mustBe(states, channel) });
  const refusals: readonly string[] = isCall ? callRefusalNames : refusalNames;
  const lists = [
    { path: ['answer', 'rules'], rules: answer.rules },
    { path: ['answer', 'items', 'rules'], rules: answer.items?.rules ?? [] },
  ];
  for (const { path, rules } of lists)
    for (const [at, { as }] of rules.entries())
      if (as !== undefined && !refusals.includes(as))
        problems.push({ path: [...path, at, 'as'], message: mustBe(refusals, channel) });
  if (isCall) {
    if (reports === undefined)
      problems.push({ path: ['reports'], message: 'is missing: only reports tell how a call ended' });
    if (incoming !== undefined || poll?.incoming !== undefined)
      problems.push({ path: ['incoming'], message: 'is only for SMS' });
    return problems;
  }
  if (languages !== undefined)
    problems.push({ path: ['languages'], message: 'is only for "channel": "voice"' });
  const foreign = namesIn(description.send).find((name) => (callNames as readonly string[]).includes(name));
  if (foreign !== undefined)
    problems.push({ path: ['send'], message: `{${foreign}} is only for "channel": "voice"` });
  return problems;
}

const mustBe = (names: readonly string[], channel: string) =>
  `must be one of ${names.join(', ')} for "channel": "${channel}"`;

/** Returns the placeholders of a request. */
function namesIn({ url, query, headers, body }: ChannelFields['send']): string[] {
  const texts = [url, ...Object.values(query), ...Object.values(headers), ...textsOfJson(body ?? null)];
  try {
    return texts.flatMap((text) => new Template(text, 'plain').names);
  } catch (error) {
    // The field of a text reports that it cannot be compiled.
    if (error instanceof DescriptionError) return [];
    throw error;
  }
}
