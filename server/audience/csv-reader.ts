import { finished } from 'node:stream/promises';
import { type Parser, parse } from 'csv-parse';
import { unescapeCell } from '../text/csv-cells.ts';

/** Bytes of one row, at most. Six fields of 1,000 characters are 24,000 bytes at most. */
export const MAX_ROW = 64 * 1024;

/** After so many rows that are no CSV the rest is not looked at: each costs a new start of the parser. */
const MAX_BROKEN = 1_000;

/** A row of a file. */
export interface CsvRow {
  /** The number of the line that it begins in, from 1. */
  readonly line: number;
  /** Its fields, without the apostrophes that make no formulas of them, or what is wrong with it as CSV. */
  readonly fields: readonly string[] | 'too-long' | 'broken';
  /** The byte of the file after it, and the number of the line there. */
  readonly end: number;
  readonly endLine: number;
}

/** A file that is not CSV: over a thousand of its rows are not. The message is for the account. */
export class NotCsv extends Error {}

const LF = 0x0a;
const CR = 0x0d;
const nothing = Buffer.alloc(0);

/**
 * Reads CSV piece by piece from any row of a file on: quoted fields with separators and line breaks in them, line ends
 * of all systems, a byte-order mark. A quote inside a field that does not begin with one is a character (`ד"ר`).
 *
 * A row that is not CSV or too long is one bad row, and reading goes on in the line after the one that it began in: a
 * quote that is not closed costs one row and not the rest of the file.
 */
export class CsvReader {
  readonly #separator: string;
  #parser: Parser | undefined;
  #read: { fields: string[]; end: number }[] = [];
  /** Where in the file the parser began. */
  #origin = 0;
  /** What was given and is not in a row yet. */
  #rest: Buffer = nothing;
  #position: number;
  #line: number;
  /** Set while the end of the line of a bad row is looked for: where that row began. */
  #bad: { line: number; position: number } | undefined;
  #broken = 0;

  /** `position` and `line`: where in the file the first byte stands that will be given. */
  constructor(options: { separator: string; position: number; line: number }) {
    this.#separator = options.separator;
    this.#position = options.position;
    this.#line = options.line;
  }

  /** The byte of the file where another reader can go on: after the last row that was returned. */
  get position(): number {
    return this.#bad?.position ?? this.#position;
  }

  /** The number of the line there. */
  get line(): number {
    return this.#bad?.line ?? this.#line;
  }

  /** Not within a bad row. One who stops within one and goes on later begins it anew, and may never get past it. */
  get settled(): boolean {
    return this.#bad === undefined;
  }

  /** Takes the next bytes of the file; returns the rows that are whole by now. Throws NotCsv. */
  async push(bytes: Buffer): Promise<CsvRow[]> {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    return this.#go(bytes, false);
  }

  /** Returns the rows that are left at the end of the file. Throws NotCsv. */
  async end(): Promise<CsvRow[]> {
    return this.#go(nothing, true);
  }

  async #go(bytes: Buffer, end: boolean): Promise<CsvRow[]> {
    const rows: CsvRow[] = [];
    let next = bytes;
    for (;;) {
      if (this.#bad) {
        if (!this.#passBadLine(rows, end)) return rows;
        next = this.#rest;
      }
      const whole = await this.#feed(next, end);
      this.#takeRead(rows);
      if (whole) return rows;
      this.#passBlankLines();
      this.#bad = { line: this.#line, position: this.#position };
      this.#parser = undefined;
    }
  }

  /** Gives bytes to the parser; false when it stumbled over a row. */
  async #feed(bytes: Buffer, end: boolean): Promise<boolean> {
    if (!this.#parser) {
      // A byte-order mark stands at the beginning of the file and nowhere else.
      this.#parser = this.#createParser(this.#position === 0);
      this.#origin = this.#position;
    }
    const parser = this.#parser;
    try {
      if (bytes.length > 0) {
        await new Promise<void>((resolve, reject) => {
          parser.write(bytes, (error) => (error ? reject(error) : resolve()));
        });
      }
      if (end) {
        parser.end();
        parser.resume();
        await finished(parser);
      }
      return true;
    } catch {
      return false;
    }
  }

  #createParser(bom: boolean): Parser {
    const parser = parse({
      bom,
      delimiter: this.#separator,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_ROW,
      on_record: (fields: string[], { bytes }) => {
        // So the parser reads a quoted field that goes on after its closing quote: as if it had none. With a line
        // break in it, the quote was one that somebody forgot to close.
        if (fields.some((field) => field.charCodeAt(0) === 0x22 && field.includes('\n'))) {
          throw new Error('a quote is not closed');
        }
        this.#read.push({ fields: fields.map(unescapeCell), end: this.#origin + bytes });
        // Nothing goes through the stream: its objects cost as much as the parsing.
        return null;
      },
    });
    // What fails is told to the write that it fails in.
    parser.on('error', () => {});
    return parser;
  }

  #takeRead(rows: CsvRow[]): void {
    for (const { fields, end } of this.#read) {
      this.#passBlankLines();
      const line = this.#line;
      this.#pass(end - this.#position);
      rows.push({ line, fields, end: this.#position, endLine: this.#line });
    }
    this.#read = [];
  }

  /** Moves over the rest of the line that a bad row began in. False when its end is not there yet. */
  #passBadLine(rows: CsvRow[], end: boolean): boolean {
    const bad = this.#bad!;
    const rest = this.#rest;
    let at = 0;
    while (at < rest.length && rest[at] !== LF && rest[at] !== CR) at++;
    const found = at < rest.length - 1 || (at < rest.length && (rest[at] === LF || end));
    this.#pass(at);
    const long = this.#position - bad.position > MAX_ROW;
    if (!found && !end) return false;
    if (found) this.#pass(rest[at] === CR && rest[at + 1] === LF ? 2 : 1);
    this.#bad = undefined;
    rows.push({
      line: bad.line,
      fields: long ? 'too-long' : 'broken',
      end: this.#position,
      endLine: this.#line,
    });
    this.#broken++;
    if (this.#broken > MAX_BROKEN) {
      throw new NotCsv(`not CSV: over ${MAX_BROKEN} rows up to line ${bad.line} cannot be read`);
    }
    return true;
  }

  #passBlankLines(): void {
    let blank = 0;
    while (this.#rest[blank] === LF || this.#rest[blank] === CR) blank++;
    this.#pass(blank);
  }

  #pass(bytes: number): void {
    const passed = this.#rest.subarray(0, bytes);
    for (let at = 0; at < passed.length; at++) {
      if (passed[at] === LF || (passed[at] === CR && this.#rest[at + 1] !== LF)) this.#line++;
    }
    this.#rest = this.#rest.subarray(bytes);
    this.#position += bytes;
  }
}
