/** What we use of eSpeak NG as WebAssembly, which comes without types. */
declare module '@echogarden/espeak-ng-emscripten' {
  interface Worker {
    /** Returns 0 when the voice exists, like `he+f2`. */
    set_voice(name: string): number;
    /** Words a minute. */
    set_rate(rate: number): void;
    /** Samples a second. */
    get_samplerate(): number;
    /** Gives mono 16-bit samples piece by piece, null at the end; the callback stops it with true. */
    synthesize(text: string, take: (samples: Int16Array | null) => boolean): number;
  }
  export default function load(): Promise<{ readonly eSpeakNGWorker: new () => Worker }>;
}
