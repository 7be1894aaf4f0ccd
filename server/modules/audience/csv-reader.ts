import { finished } from 'node:stream/promises';
import { type Parser, parse } from 'csv-parse';
import { unescapeCell } from '../../kit/text/csv-cells.ts';
import { TimeSlice } from '../../kit/time-slices.ts';

/** Maximum size of a row, in bytes. Six fields of 1,000 characters have up to 24,000 bytes. */
export const MAX_ROW = 64 * 1024;

/** Broken rows after which the rest of the file is not read, because each one restarts the parser. */
const MAX_BROKEN = 1_000;

/** A row of a file. */
export interface CsvRow {
  /** Number of its first line, from 1. */
  readonly line: number;
  /** The fields, without the apostrophes that protect from formulas; or the reason why the row is not valid CSV. */
  readonly fields: readonly string[] | 'too-long' | 'broken';
  /** Position in the file after the row, in bytes, and the number of the line there. */
  readonly end: number;
  readonly endLine: number;
}

/** The file is not CSV: more than a thousand of its rows are broken. The account sees the message. */
export class NotCsv extends Error {}

const LF = 0x0a;
const CR = 0x0d;
const nothing = Buffer.alloc(0);

/**
 * Reads CSV piece by piece, from any row of a file: quoted fields with separators and line breaks, line ends of all
 * systems, a byte-order mark. A quote inside an unquoted field is a character (`ד"ר`).
 * A broken or too long row counts as one bad row, and reading continues in the line after its first one. So an unclosed
 * quote costs one row and not the rest of the file.
 */
export class CsvReader {
  readonly #separator: string;
  #parser: Parser | undefined;
  #read: { fields: string[]; end: number }[] = [];
  /** Position in the file where the parser started. */
  #origin = 0;
  /** Bytes received that are not part of a complete row yet. */
  #rest: Buffer = nothing;
  #position: number;
  #line: number;
  /** The beginning of a bad row while its end of line is not found yet. */
  #bad: { line: number; position: number } | undefined;
  #broken = 0;
  readonly #slice = new TimeSlice();

  /** `position` and `line`: those of the first byte that `push` will receive. */
  constructor(options: { separator: string; position: number; line: number }) {
    this.#separator = options.separator;
    this.#position = options.position;
    this.#line = options.line;
  }

  /** Position in the file from which another reader can continue: after the last returned row. */
  get position(): number {
    return this.#bad?.position ?? this.#position;
  }

  /** Number of the line at `position`. */
  get line(): number {
    return this.#bad?.line ?? this.#line;
  }

  /**
   * Whether the reader is outside a bad row. A job that stops within one would read it again from its beginning, and
   * might never get past it.
   */
  get settled(): boolean {
    return this.#bad === undefined;
  }

  /** Parses the next bytes of the file. Returns the rows that are complete. Throws NotCsv. */
  async push(bytes: Buffer): Promise<CsvRow[]> {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    return this.#go(bytes, false);
  }

  /** Returns the remaining rows at the end of the file. Throws NotCsv. */
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
      // Each broken row is read again up to its limit of 64 KiB: twenty of them took 300 ms.
      if (this.#slice.isOverNow) await this.#slice.rest();
    }
  }

  /** Gives bytes to the parser. Returns false if a row is broken. */
  async #feed(bytes: Buffer, end: boolean): Promise<boolean> {
    if (!this.#parser) {
      // Only the beginning of the file may have a byte-order mark.
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
        // The parser reads a quoted field with text after its closing quote as an unquoted one. If it contains a line
        // break, the closing quote was forgotten.
        if (fields.some((field) => field.charCodeAt(0) === 0x22 && field.includes('\n'))) {
          throw new Error('a quote is not closed');
        }
        this.#read.push({ fields: fields.map(unescapeCell), end: this.#origin + bytes });
        // Rows bypass the stream, whose objects cost as much as the parsing.
        return null;
      },
    });
    // The failing write reports the error.
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

  /** Skips the rest of the first line of a bad row. Returns false if the end of the line has not arrived yet. */
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
