import { z } from 'zod';
import { TimeSlice } from '../../kit/time-slices.ts';
import { detailOf } from '../schema-problems.ts';

/*
 * Lists of a request with up to a hundred thousand entries. `parseLong` checks them in slices. zod's own array checks
 * all entries in one turn of the event loop and keeps every problem: ten megabytes of invalid entries took two
 * gigabytes of memory.
 */

type Payload = z.core.ParsePayload;

/** Checks an entry. Returns false if it has a problem, and reports it. */
function take<T>(result: z.ZodSafeParseResult<T>, all: T[], payload: Payload): boolean {
  if (result.success) {
    all.push(result.data);
    return true;
  }
  const issue = result.error.issues[0]!;
  const { message, path } = issue;
  const params = { ...detailOf(issue) };
  payload.issues.push({ code: 'custom', message, params, input: undefined, path: [all.length, ...path] });
  return false;
}

function readAtOnce<T>(of: z.core.$ZodType<T>, entries: readonly unknown[], payload: Payload): T[] {
  const all: T[] = [];
  for (const entry of entries) {
    if (!take(z.safeParse(of, entry), all, payload)) break;
  }
  return all;
}

async function readInSlices<T>(
  of: z.core.$ZodType<T>,
  entries: readonly unknown[],
  payload: Payload,
): Promise<T[]> {
  const all: T[] = [];
  const isNested = hasLongList(of);
  const slice = new TimeSlice();
  for (const entry of entries) {
    const result = isNested ? await z.safeParseAsync(of, entry) : z.safeParse(of, entry);
    if (!take(result, all, payload)) break;
    if (isNested ? slice.isOverNow : slice.isOver) await slice.rest();
  }
  return all;
}

function finish(payload: Payload, value: unknown): Payload {
  payload.value = value;
  return payload;
}

interface LongListDef extends z.core.$ZodTransformDef {
  readonly inSlices: (value: unknown, payload: Payload) => Promise<unknown>;
}

interface LongListType extends z.core.$ZodType {
  _zod: z.core.$ZodTransformInternals & { def: LongListDef };
}

// Separate zod types, so that `describe` and `meta` of a list return a long list again.
const LongList = z.core.$constructor<LongListType, LongListDef>('LongList', (list, def) => {
  z.ZodTransform.init(list as unknown as z.ZodTransform, def);
  list._zod.parse = (payload, context) =>
    context.async
      ? def.inSlices(payload.value, payload).then((all) => finish(payload, all))
      : finish(payload, def.transform(payload.value, payload));
});

const LongArray = z.core.$constructor<z.core.$ZodArray, z.core.$ZodArrayDef>('LongArray', (array, def) => {
  z.ZodArray.init(array as unknown as z.ZodArray, def);
  const refuse = array._zod.parse;
  const most = maxOf(def);
  array._zod.parse = (payload, context) => {
    const entries: unknown = payload.value;
    if (!Array.isArray(entries)) return refuse(payload, context);
    // The later check of its length refuses it.
    if (entries.length > most) return payload;
    if (!context.async) return finish(payload, readAtOnce(def.element, entries, payload)) as never;
    return readInSlices(def.element, entries, payload).then((all) => finish(payload, all)) as never;
  };
});

function maxOf({ checks = [] }: z.core.$ZodArrayDef): number {
  const maxima = checks.map(({ _zod: { def } }) =>
    def.check === 'max_length' ? (def as z.core.$ZodCheckMaxLengthDef).maximum : Infinity,
  );
  return Math.min(Infinity, ...maxima);
}

/**
 * Creates a list that stops at the first entry with a problem.
 *
 * @param entriesOf returns the entries of the input; none if it reports a problem
 */
export function longList<T>(
  of: z.ZodType<T, unknown>,
  entriesOf: (value: unknown, payload: Payload) => readonly unknown[],
): z.ZodType<T[], unknown> {
  const list = new LongList({
    type: 'transform',
    transform: (value, payload) => readAtOnce(of, entriesOf(value, payload), payload),
    inSlices: (value, payload) => readInSlices(of, entriesOf(value, payload), payload),
  });
  return list as unknown as z.ZodType<T[], unknown>;
}

/** Returns the same array, but checks its length first and stops at the first entry with a problem. */
export function longArray<T extends z.ZodType>(array: z.ZodArray<T>): z.ZodArray<T> {
  return new LongArray(array._zod.def) as unknown as z.ZodArray<T>;
}

/** As `safeParse`, with long lists read in slices. */
export function parseLong<T>(
  schema: z.ZodType<T, unknown>,
  value: unknown,
): Promise<z.ZodSafeParseResult<T>> {
  return schema.safeParseAsync(value);
}

/** Whether a schema contains a long list. */
export function hasLongList(schema: z.core.$ZodType): boolean {
  if (schema instanceof LongList || schema instanceof LongArray) return true;
  const {
    shape,
    innerType,
    in: before,
    out,
  } = schema._zod.def as Partial<{
    shape: Record<string, z.core.$ZodType>;
    innerType: z.core.$ZodType;
    in: z.core.$ZodType;
    out: z.core.$ZodType;
  }>;
  return [...Object.values(shape ?? {}), innerType, before, out].some((inner) => inner && hasLongList(inner));
}
