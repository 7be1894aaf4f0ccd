import { encode } from './g711.ts';

/** Samples per second of all audio. */
export const SAMPLE_RATE = 8_000;

/** Audio for the callee, encoded for both codecs, in memory that the media thread shares. */
export interface Prompt {
  /** G.711 A-law, one octet per sample. */
  readonly pcma: Uint8Array;
  /** G.711 µ-law, one octet per sample. */
  readonly pcmu: Uint8Array;
  /** Number of samples, at 8,000 per second. */
  readonly samples: number;
}

/** A message for playback in a call. */
export interface SpokenMessage {
  readonly prompt: Prompt;
  /** Number of times to play it, from 1. */
  readonly repeat: number;
  /** Milliseconds of silence between two repetitions. */
  readonly pauseMs: number;
}

/** Encodes mono 16-bit samples at 8 kHz in both laws. One prompt serves any number of calls. */
export function promptOf(pcm: Int16Array): Prompt {
  return { pcma: shared(encode('PCMA', pcm)), pcmu: shared(encode('PCMU', pcm)), samples: pcm.length };
}

function shared(codes: Buffer): Buffer {
  const copy = Buffer.from(new SharedArrayBuffer(codes.length));
  copy.set(codes);
  return copy;
}
