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
/** Texts of templates whose values are all parameters, keyed by the template's strings. */
const plainTexts = new WeakMap<readonly string[], string>();
const plainShapes = new WeakMap<readonly string[], Map<string, Shape>>();
/** The protocol has 16 bits for the number of parameters. */
const MAX_PARAMETERS = 65_535;
/** Maximum number of remembered statements; composed statements have some hundreds of texts. */
const MAX_SHAPES = 5_000;

/** Builds the statement of a template. Throws TypeError for a value that cannot be a parameter. */
export function buildStatement(
  strings: readonly string[],
  args: readonly unknown[],
  isFragment: IsFragment,
): Statement {
  if (!args.some((value) => isPartOfText(value, isFragment))) return plain(strings, args);
  const values: Encoded[] = [];
  const path = follow(composed.step(strings), strings, args, values, isFragment);
  path.shape ??= composedShape(strings, args, isFragment);
  return { shape: path.shape, values };
}

/**
 * A composed statement up to one of its parts. Statements of the same parts, in the same order, with values of the same types
 * end at the same path, which has their shape: writing and hashing a text of some kilobytes each time took a tenth of the work
 * of storing a message.
 */
class Path {
  shape: Shape | undefined;
  #next: Map<unknown, Path> | undefined;

  /** Returns the path after the next part: the strings of a template, the type of a value, or names. */
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

const composed = new Path();
let paths = 0;
/** Maximum number of remembered parts. */
const MAX_PATHS = 100_000;

function follow(
  begun: Path,
  strings: readonly string[],
  args: readonly unknown[],
  values: Encoded[],
  isFragment: IsFragment,
): Path {
  let path = begun;
  const fragment = (one: Fragment) => {
    path = follow(path.step(one.strings), one.strings, one.args, values, isFragment);
  };
  const parameter = (one: unknown) => {
    values.push(encode(one));
    path = path.step(typeOf(one));
  };
  for (let i = 0; i < args.length; i++) {
    const value = args[i];
    if (typeof value !== 'object' || value === null) parameter(value);
    else if (isFragment(value)) fragment(value);
    else if (Array.isArray(value) && isFragment(value[0])) {
      path = path.step(`${value.length} fragments`);
      for (const one of value) fragment(one as Fragment);
    } else if (value instanceof Names) {
      const isList = endsWithIn(strings[i]!);
      path = path.step(isList ? `${value.names.length} values` : `names ${value.names.join()}`);
      if (isList) for (const one of value.names) parameter(one);
    } else if (value instanceof Assignments) {
      path = path.step(`columns ${Object.keys(value.columns).join()}`);
      for (const one of Object.values(value.columns)) parameter(one);
    } else parameter(value);
  }
  return path;
}

function composedShape(strings: readonly string[], args: readonly unknown[], isFragment: IsFragment): Shape {
  const values: unknown[] = [];
  const text = write(strings, args, values, isFragment);
  return shapeOf(text, values);
}

/** Returns a statement for a text with numbered parameters. */
export function textStatement(text: string, values: readonly unknown[]): Statement {
  return { shape: shapeOf(text, values), values: values.map(encode) };
}

function quoteName(name: string): string {
  return `"${name.replace(/"/g, '""').replace(/\./g, '"."')}"`;
}

/** Whether a text ends with the word IN. */
function endsWithIn(text: string): boolean {
  return /^\sin$/i.test(text.trimEnd().slice(-3));
}

function isPartOfText(value: unknown, isFragment: IsFragment): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Names || value instanceof Assignments || isFragment(value)) return true;
  return Array.isArray(value) && isFragment(value[0]);
}

function plain(strings: readonly string[], values: readonly unknown[]): Statement {
  let types = '';
  for (const value of values) types += `${typeOf(value)},`;
  let known = plainShapes.get(strings);
  if (!known) {
    known = new Map();
    plainShapes.set(strings, known);
  }
  let shape = known.get(types);
  if (!shape) {
    let text = plainTexts.get(strings);
    if (text === undefined) {
      text = strings.reduce((before, after, i) => `${before}$${i}${after}`);
      plainTexts.set(strings, text);
    }
    shape = { text, types: values.map(typeOf) };
    known.set(types, shape);
  }
  return { shape, values: values.map(encode) };
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

function write(
  strings: readonly string[],
  args: readonly unknown[],
  values: unknown[],
  isFragment: IsFragment,
): string {
  let text = strings[0]!;
  for (const [i, value] of args.entries()) {
    text += writeValue(strings[i]!, value, values, isFragment) + strings[i + 1]!;
  }
  return text;
}

function writeValue(before: string, value: unknown, values: unknown[], isFragment: IsFragment): string {
  const parameter = (one: unknown) => {
    values.push(one);
    return `$${values.length}`;
  };
  const fragment = ({ strings, args }: Fragment) => write(strings, args, values, isFragment);
  if (value instanceof Names) {
    // `IN ${sql(values)}` is a list of values; everywhere else the argument is names.
    if (endsWithIn(before)) return `(${value.names.map(parameter).join(',') || 'NULL'})`;
    return value.names.map((name) => quoteName(String(name))).join(',');
  }
  if (value instanceof Assignments) {
    return Object.entries(value.columns)
      .map(([name, one]) => `${quoteName(name)}=${parameter(one)}`)
      .join(',');
  }
  if (isFragment(value)) return fragment(value);
  if (Array.isArray(value) && isFragment(value[0])) return value.map(fragment).join(' ');
  return parameter(value);
}
