import { type Encoded, encode, typeOf } from './values.ts';

/* Builds statements from tagged templates: values become parameters, fragments and names become part of the text. */

/** The text of a statement and the types of its parameters. Equal texts and types share one object. */
export interface Shape {
  readonly text: string;
  readonly types: readonly number[];
}

/** A text and its parameters, in the form sent to the server. */
export interface Statement {
  readonly shape: Shape;
  readonly values: readonly Encoded[];
}

/** A name, or names, in the text: `sql('column')`, `sql(['a', 'b'])`. */
export class Names {
  readonly names: readonly (string | number)[];

  constructor(names: readonly (string | number)[]) {
    this.names = names;
  }
}

/** Columns with their new values, after SET: `sql({ a: 1, b: 2 })`. */
export class Assignments {
  readonly columns: Readonly<Record<string, unknown>>;

  constructor(columns: Readonly<Record<string, unknown>>) {
    this.columns = columns;
  }
}

/** A part of another statement's text. */
export interface Fragment {
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
}

/** Whether a value of a template is a fragment. Set by connection.ts, which defines the queries. */
type IsFragment = (value: unknown) => value is Fragment;

const shapes = new Map<string, Shape>();
/** The protocol has 16 bits for the number of parameters. */
const MAX_PARAMETERS = 65_535;
/** Maximum number of remembered statements; composed statements have some hundreds of texts. */
const MAX_SHAPES = 5_000;
/** Maximum number of remembered parts of statements. */
const MAX_PATHS = 100_000;

/** Builds the statement of a template. Throws TypeError for a value that cannot be a parameter. */
export function buildStatement(
  strings: readonly string[],
  args: readonly unknown[],
  isFragment: IsFragment,
): Statement {
  const reader = new PathReader();
  read(strings, args, isFragment, reader);
  const { path, values } = reader;
  path.shape ??= shapeOfParts(strings, args, isFragment);
  return { shape: path.shape, values };
}

/** Returns a statement for a text with numbered parameters. */
export function textStatement(text: string, values: readonly unknown[]): Statement {
  return { shape: shapeOf(text, values), values: values.map(encode) };
}

/** Receives the parts of a statement in their order. */
interface PartReader {
  template(strings: readonly string[]): void;
  /** Number of the fragments, values or assignments that follow. */
  count(count: number): void;
  text(text: string): void;
  names(names: readonly (string | number)[]): void;
  parameter(value: unknown): void;
}

function read(
  strings: readonly string[],
  args: readonly unknown[],
  isFragment: IsFragment,
  to: PartReader,
): void {
  to.template(strings);
  to.text(strings[0]!);
  for (let i = 0; i < args.length; i++) {
    readArgument(strings[i]!, args[i], isFragment, to);
    to.text(strings[i + 1]!);
  }
}

function readArgument(before: string, value: unknown, isFragment: IsFragment, to: PartReader): void {
  if (typeof value !== 'object' || value === null) to.parameter(value);
  else if (isFragment(value)) read(value.strings, value.args, isFragment, to);
  else if (Array.isArray(value) && isFragment(value[0])) {
    to.count(value.length);
    readList(value as Fragment[], ' ', to, ({ strings, args }) => read(strings, args, isFragment, to));
  } else if (value instanceof Names) {
    // `IN ${sql(values)}` is a list of values; everywhere else the argument is names.
    if (endsWithIn(before)) readValues(value.names, to);
    else to.names(value.names);
  } else if (value instanceof Assignments) {
    const columns = Object.entries(value.columns);
    to.count(columns.length);
    readList(columns, ',', to, ([name, one]) => {
      to.names([name]);
      to.text('=');
      to.parameter(one);
    });
  } else to.parameter(value);
}

function readValues(values: Names['names'], to: PartReader): void {
  to.count(values.length);
  to.text('(');
  if (values.length === 0) to.text('NULL');
  readList(values, ',', to, (one) => to.parameter(one));
  to.text(')');
}

function readList<T>(items: readonly T[], separator: string, to: PartReader, item: (item: T) => void): void {
  for (let i = 0; i < items.length; i++) {
    if (i > 0) to.text(separator);
    item(items[i]!);
  }
}

/**
 * A statement up to one of its parts. Statements of the same parts, in the same order, with values of the same types end at the
 * same path, which has their shape: writing and hashing a text of some kilobytes each time took a tenth of the work of storing
 * a message.
 */
class Path {
  shape: Shape | undefined;
  #next: Map<unknown, Path> | undefined;

  /** Returns the path after the next part: a template, the type of a value, or a symbol. */
  step(part: unknown): Path {
    this.#next ??= new Map();
    let next = this.#next.get(part);
    if (!next) {
      next = new Path();
      if (++paths <= MAX_PATHS) this.#next.set(part, next);
    }
    return next;
  }
}

const beginning = new Path();
let paths = 0;

/** Finds the path of a statement, and encodes its values. */
class PathReader implements PartReader {
  path = beginning;
  readonly values: Encoded[] = [];

  template(strings: readonly string[]): void {
    // A template without values may be a text of `unsafe`, whose strings are new each time.
    this.path = this.path.step(strings.length === 1 ? strings[0] : strings);
  }

  count(count: number): void {
    this.path = this.path.step(Symbol.for(`${count} parts`));
  }

  text(): void {}

  names(names: Names['names']): void {
    this.path = this.path.step(Symbol.for(`names ${names.join('\0')}`));
  }

  parameter(value: unknown): void {
    this.values.push(encode(value));
    this.path = this.path.step(typeOf(value));
  }
}

/** Writes the text of a statement. */
class TextReader implements PartReader {
  written = '';
  readonly values: unknown[] = [];

  template(): void {}

  count(): void {}

  text(text: string): void {
    this.written += text;
  }

  names(names: Names['names']): void {
    this.written += names.map((name) => quoteName(String(name))).join(',');
  }

  parameter(value: unknown): void {
    this.written += `$${this.values.push(value)}`;
  }
}

function shapeOfParts(strings: readonly string[], args: readonly unknown[], isFragment: IsFragment): Shape {
  const reader = new TextReader();
  read(strings, args, isFragment, reader);
  return shapeOf(reader.written, reader.values);
}

function shapeOf(text: string, values: readonly unknown[]): Shape {
  if (values.length > MAX_PARAMETERS) throw new TypeError(`a statement has ${values.length} parameters`);
  const types = values.map(typeOf);
  const key = `${types.join()} ${text}`;
  let shape = shapes.get(key);
  if (!shape) {
    shape = { text, types };
    if (shapes.size < MAX_SHAPES) shapes.set(key, shape);
  }
  return shape;
}

function quoteName(name: string): string {
  return `"${name.replace(/"/g, '""').replace(/\./g, '"."')}"`;
}

/** Whether a text ends with the word IN. */
function endsWithIn(text: string): boolean {
  return /^\sin$/i.test(text.trimEnd().slice(-3));
}
