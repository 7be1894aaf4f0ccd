import type { SpokenMessage } from './prompt.ts';
import type { AudioDescription } from './sdp.ts';

/*
 * What the main thread and the media thread tell each other. Audio and progress are shared memory, and not copied.
 */

/** To the media thread; `id` names the audio of one call. */
export type MediaOrder =
  | {
      readonly kind: 'open';
      readonly id: number;
      readonly address: string;
      /** UDP ports, both included. */
      readonly ports: { readonly from: number; readonly to: number };
    }
  | {
      readonly kind: 'play';
      readonly id: number;
      readonly target: AudioDescription;
      readonly spoken: SpokenMessage;
      readonly startDelayMs: number;
      /** Its first element counts the packets that had their turn. */
      readonly progress: Int32Array;
    }
  | { readonly kind: 'retarget'; readonly id: number; readonly target: AudioDescription }
  | { readonly kind: 'stop'; readonly id: number }
  | { readonly kind: 'close'; readonly id: number }
  /** Close everything, and end. */
  | { readonly kind: 'end' };

/** From the media thread. */
export type MediaReport =
  | { readonly kind: 'opened'; readonly id: number; readonly port: number }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  /** Everything was played. */
  | { readonly kind: 'done'; readonly id: number };
