import { status } from '../../statuses.ts';

/** How a call ended. */
export type CallEnd =
  /** It was answered, and the message played as far as this. */
  | {
      readonly kind: 'answered';
      readonly callId: string;
      readonly heardSeconds: number;
      /** How often the message was played to its end. */
      readonly rounds: number;
      /** `us`: after the end of play, or when the service stopped; `lost`: the other side is gone, or holds the call up. */
      readonly endedBy: 'us' | 'them' | 'lost';
    }
  /** It was not answered, or could not be played to. */
  | { readonly kind: 'failed'; readonly failure: CallFailure; readonly retryAfterMs?: number };

/** A final answer of SIP's, or what stands in its place. */
export type CallFailure = number | OwnFailure;

/**
 * `no-answer`: it rang for `ringSeconds`. `no-response`: nothing answered the INVITE. `transport`: the connection broke.
 * `no-media`: answered with an SDP that has nothing for us. `credentials`: ours were refused, or none are set.
 * `stopped`: by the service, before the answer.
 */
export type OwnFailure =
  | 'no-answer'
  | 'no-response'
  | 'transport'
  | 'no-media'
  | 'credentials'
  | 'stopped'
  | 'media-ports';

/** What a failure means for its message. */
interface Treatment {
  /** For the message's timeline and the metrics. */
  readonly code: string;
  /** The delivery status when it is final, or when there have been enough tries. */
  readonly status: number;
  /** It rang at somebody, or would have: such calls are tried a few times only. */
  readonly disturbs?: true;
  /** Milliseconds until the next call, at least; final without it. The dispatcher's own pauses grow beyond it. */
  readonly retryMs?: number;
  /** The trunk itself has too much to do: calls go out more slowly for a while. */
  readonly throttles?: true;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const busy: Treatment = { code: 'BUSY', status: status.undelivered, retryMs: MINUTE, disturbs: true };
const noAnswer: Treatment = {
  code: 'NO_ANSWER',
  status: status.timeout,
  retryMs: 3 * MINUTE,
  disturbs: true,
};
const declined: Treatment = { code: 'DECLINED', status: status.rejected };
const noSuchNumber: Treatment = { code: 'NO_SUCH_NUMBER', status: status.undelivered };
const refused: Treatment = { code: 'REFUSED', status: status.voiceFailed };
const trouble: Treatment = { code: 'TROUBLE', status: status.voiceFailed, retryMs: 30 * SECOND };
const overloaded: Treatment = { ...trouble, code: 'OVERLOADED', throttles: true };

/**
 * The one table of final answers (RFC 3261, 21; RFC 4412, 5039, 8197, 8688 for single ones). What is not in it goes by its
 * class: 3xx, 4xx and 6xx are refused, 5xx is trouble that passes.
 */
const answers: ReadonlyMap<number, Treatment> = new Map([
  [400, refused],
  [403, { ...declined, code: 'FORBIDDEN' }],
  [404, noSuchNumber],
  [408, noAnswer],
  [410, noSuchNumber],
  [429, overloaded],
  [480, { ...noAnswer, code: 'UNAVAILABLE' }],
  [481, trouble],
  [482, trouble],
  [484, noSuchNumber],
  [485, noSuchNumber],
  [486, busy],
  [487, noAnswer],
  [491, trouble],
  [503, overloaded],
  [505, refused],
  [513, refused],
  [600, busy],
  [603, declined],
  [604, noSuchNumber],
  [607, { ...declined, code: 'UNWANTED' }],
  [608, { ...declined, code: 'UNWANTED' }],
]);

const own: Readonly<Record<OwnFailure, Treatment>> = {
  'no-answer': noAnswer,
  'no-response': { ...trouble, code: 'NO_RESPONSE' },
  transport: { ...trouble, code: 'LINK_DOWN' },
  'no-media': { ...refused, code: 'NO_MEDIA' },
  credentials: { ...trouble, code: 'CREDENTIALS', retryMs: 5 * MINUTE },
  stopped: { ...trouble, code: 'STOPPED', retryMs: 0 },
  'media-ports': { ...trouble, code: 'MEDIA_PORTS' },
};

/** What a failure means. The code of a SIP answer ends with its number: `BUSY/486`. */
export function treatmentOf(failure: CallFailure): Treatment {
  if (typeof failure !== 'number') return own[failure];
  const treatment = answers.get(failure) ?? (failure >= 500 && failure < 600 ? trouble : refused);
  return { ...treatment, code: `${treatment.code}/${failure}` };
}

/** Status and code of an answered call: delivered when the message was heard to its end once. */
export function heardOf({ rounds, heardSeconds }: { rounds: number; heardSeconds: number }): {
  status: number;
  code: string;
} {
  const seconds = Math.floor(heardSeconds);
  return rounds > 0
    ? { status: status.delivered, code: `HEARD/${seconds}` }
    : { status: status.undelivered, code: `ENDED_EARLY/${seconds}` };
}

/** The outcome of an answer for metrics: few words, without numbers. */
export const wordOf = (code: string) => code.split('/', 1)[0]!;
