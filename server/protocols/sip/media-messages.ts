import type { SpokenMessage } from './prompt.ts';
import type { AudioDescription } from './sdp.ts';

/* Messages between the main thread and the media thread. Audio and progress are shared memory and not copied. */

/** Message to the media thread; `id` identifies the audio of one call. */
export type MediaOrder =
  | {
      readonly kind: 'open';
      readonly id: number;
      readonly address: string;
      /** UDP ports, both inclusive. */
      readonly ports: { readonly from: number; readonly to: number };
    }
  | {
      readonly kind: 'play';
      readonly id: number;
      readonly target: AudioDescription;
      readonly spoken: SpokenMessage;
      readonly startDelayMs: number;
      /** Its first element counts the packets whose send time has passed. */
      readonly progress: Int32Array;
    }
  | { readonly kind: 'retarget'; readonly id: number; readonly target: AudioDescription }
  | { readonly kind: 'stop'; readonly id: number }
  | { readonly kind: 'close'; readonly id: number }
  /** Closes everything and ends the thread. */
  | { readonly kind: 'end' };

/** Message from the media thread. */
export type MediaReport =
  | { readonly kind: 'opened'; readonly id: number; readonly port: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  /** All audio was played. */
  | { readonly kind: 'done'; readonly id: number };
