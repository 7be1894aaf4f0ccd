import { status } from '../../kit/statuses.ts';

/** Result of a call. */
export type CallEnd =
  /** Answered, and the message was played up to this point. */
  | {
      readonly kind: 'answered';
      readonly callId: string;
      readonly heardSeconds: number;
      /** Number of times that the message was played completely. */
      readonly rounds: number;
      /**
       * `us`: after the end of playback, or when the service stopped. `lost`: the other side is gone, or holds the call
       * too long.
       */
      readonly endedBy: 'us' | 'them' | 'lost';
    }
  /** Not answered, or the audio could not be played. */
  | { readonly kind: 'failed'; readonly failure: CallFailure; readonly retryAfterMs?: number };

/** A final SIP status, or our own code if there was no answer. */
export type CallFailure = number | OwnFailure;

/**
 * `no-answer`: it rang for `ringSeconds`. `no-response`: the INVITE was not answered. `transport`: the connection
 * broke. `no-media`: the answer's SDP has no usable audio. `credentials`: ours were rejected, or none are set.
 * `stopped`: ended by the service before the answer.
 */
export type OwnFailure =
  | 'no-answer'
  | 'no-response'
  | 'transport'
  | 'no-media'
  | 'credentials'
  | 'stopped'
  | 'media-ports';

/** How a failed call affects its message. */
interface Treatment {
  /** Code for the message's timeline and the metrics. */
  readonly code: string;
  /** Delivery status if the failure is final or the attempts are used up. */
  readonly status: number;
  /** The phone rang, or would have rung: such calls are attempted only a few times. */
  readonly disturbs?: true;
  /**
   * Minimum milliseconds until the next call; a failure without it is final. The dispatcher's own pauses grow beyond
   * it.
   */
  readonly retryMs?: number;
  /** The trunk itself is overloaded: calls slow down for a while. */
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
 * Meaning of final answers (RFC 3261, 21; single ones from RFC 4412, 5039, 8197, 8688). Other answers follow their
 * class: 3xx, 4xx and 6xx are rejections, 5xx is a temporary problem.
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

/** Returns the treatment of a failure. The code of a SIP answer ends with its status: `BUSY/486`. */
export function treatmentOf(failure: CallFailure): Treatment {
  if (typeof failure !== 'number') return own[failure];
  const treatment = answers.get(failure) ?? (failure >= 500 && failure < 600 ? trouble : refused);
  return { ...treatment, code: `${treatment.code}/${failure}` };
}

/** Returns status and code of an answered call: delivered when the message was heard completely at least once. */
export function heardOf({ rounds, heardSeconds }: { rounds: number; heardSeconds: number }): {
  status: number;
  code: string;
} {
  const seconds = Math.floor(heardSeconds);
  return rounds > 0
    ? { status: status.delivered, code: `HEARD/${seconds}` }
    : { status: status.undelivered, code: `ENDED_EARLY/${seconds}` };
}

/** Returns the outcome label for metrics, which has few values and no numbers. */
export const wordOf = (code: string) => code.split('/', 1)[0]!;
