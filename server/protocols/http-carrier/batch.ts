import { TimeSlice } from '../../kit/time-slices.ts';
import { compileOutcome, type Verdict } from './answer.ts';
import type { HttpDescription } from './description.ts';
import { CarrierDocument, type HeaderFields } from './document.ts';
import { compileLocator, itemsAt } from './locator.ts';

/** A message of a request, as results name it. */
interface SentMessage {
  readonly id: number;
  /** Recipient: digits without `+`. */
  readonly destination: string;
}

/** Meaning of the answer to a request with one or more messages. */
interface Verdicts {
  /** In the order of the messages. */
  readonly each: readonly Verdict[];
  /** Whether the answer has no results, so that all messages have the verdict of the answer. */
  readonly isWhole: boolean;
}

/** A result of an answer: the id that it names, and its meaning for a message with an id. */
interface Result {
  readonly ref: string | undefined;
  readonly to: string | undefined;
  readonly verdictFor: (id: string) => Verdict;
}

type ReceivedAnswer = ConstructorParameters<typeof CarrierDocument>[0] & {
  readonly status: number;
  readonly headers: HeaderFields;
};

/** Reads the results of an answer; none if the answer is about the whole request. */
export type ResultsReader = (answer: ReceivedAnswer) => readonly Result[];

/** Compiles the results of the messages of a batch; undefined for a description without results. */
export function compileResults({ answer: { items }, channel }: HttpDescription): ResultsReader | undefined {
  if (!items) return undefined;
  const { each, ref, to } = items;
  const readRef = ref === undefined ? undefined : compileLocator(ref);
  const readTo = to === undefined ? undefined : compileLocator(to);
  const readOutcome = compileOutcome(items, channel);
  return (answer) => {
    const document = new CarrierDocument(answer);
    return itemsAt(document, each).map((value) => {
      const item = document.at(value);
      return {
        ref: readRef?.(item)[0],
        to: readTo?.(item)[0],
        verdictFor: (id) => readOutcome(item, id),
      };
    });
  };
}

/**
 * Compiles the answers to requests with one or more messages. A message whose result is missing has an unknown outcome: the provider
 * may have sent it. Results in order must have the number of the messages, or all outcomes are unknown. Many results
 * are read in slices, because the rules may have expressions.
 */
export function compileVerdicts(
  description: HttpDescription,
): (answer: ReceivedAnswer, messages: readonly SentMessage[]) => Promise<Verdicts> {
  const readWhole = compileOutcome(description.answer, description.channel);
  const readResults = compileResults(description);
  const isByRef = description.answer.items?.ref !== undefined;
  return async (answer, messages) => {
    const results = readResults?.(answer) ?? [];
    if (results.length === 0) {
      const [first, ...others] = messages.map(({ id }) => String(id));
      const verdict = readWhole(new CarrierDocument(answer), first!);
      const of = (id: string): Verdict => (verdict.kind === 'accepted' ? { ...verdict, ids: [id] } : verdict);
      return { each: [verdict, ...others.map(of)], isWhole: true };
    }
    const byRef = new Map(results.map((result) => [result.ref, result]));
    const isComplete = results.length === messages.length;
    const slice = new TimeSlice();
    const each: Verdict[] = [];
    for (const [at, { id, destination }] of messages.entries()) {
      if (slice.isOverNow) await slice.rest();
      const inOrder = isComplete ? results[at] : undefined;
      const result = isByRef ? byRef.get(String(id)) : inOrder;
      const isOurs = result && isRecipient(result.to, destination);
      each.push(isOurs ? result.verdictFor(String(id)) : { kind: 'unknown' });
    }
    return { each, isWhole: false };
  };
}

/** Whether a result names no recipient, or this one. */
const isRecipient = (to: string | undefined, destination: string): boolean => {
  const digits = to?.replace(/\D/g, '') ?? '';
  return digits === '' || digits === destination;
};
