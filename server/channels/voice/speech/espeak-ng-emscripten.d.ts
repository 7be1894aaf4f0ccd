/** The used part of eSpeak NG as WebAssembly, which has no types of its own. */
declare module '@echogarden/espeak-ng-emscripten' {
  interface Worker {
    /** Returns 0 if the voice, such as `he+f2`, exists. */
    set_voice(name: string): number;
    /** Words per minute. */
    set_rate(rate: number): void;
    /** Samples per second. */
    get_samplerate(): number;
    /** Calls `take` with mono 16-bit samples piece by piece, null at the end. `take` returns true to stop. */
    synthesize(text: string, take: (samples: Int16Array | null) => boolean): number;
  }
  export default function load(): Promise<{ readonly eSpeakNGWorker: new () => Worker }>;
}
