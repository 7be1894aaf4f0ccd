import { encode } from './g711.ts';

/** Samples a second of everything that is played. */
export const SAMPLE_RATE = 8_000;

/** What is played to the callee, ready for either codec. In memory that the media thread shares. */
export interface Prompt {
  /** G.711 A-law, one octet a sample. */
  readonly pcma: Uint8Array;
  /** G.711 µ-law, one octet a sample. */
  readonly pcmu: Uint8Array;
  /** Its length, at 8,000 a second. */
  readonly samples: number;
}

/** A message as a call plays it. */
export interface SpokenMessage {
  readonly prompt: Prompt;
  /** How often it is played, from 1. */
  readonly repeat: number;
  /** Silence between two times, in milliseconds. */
  readonly pauseMs: number;
}

/** Encodes mono 16-bit samples at 8 kHz in both laws, once for however many calls play them. */
export function promptOf(pcm: Int16Array): Prompt {
  return { pcma: shared(encode('PCMA', pcm)), pcmu: shared(encode('PCMU', pcm)), samples: pcm.length };
}

function shared(codes: Buffer): Buffer {
  const copy = Buffer.from(new SharedArrayBuffer(codes.length));
  copy.set(codes);
  return copy;
}
