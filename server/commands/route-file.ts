import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { firstProblem } from '../api/schema-problems.ts';
import type { StoredRoute } from '../engine/connectors/stored.ts';
import { replayedRoutes, showRouteView } from '../engine/connectors/v1/route-bodies.ts';
import { replayBody } from '../engine/connectors/v1/route-fields.ts';
import { CommandError } from './with-app-context.ts';

/* Routes in a file: `{"routes": […]}` in the order in which they count, with the fields of `POST /v1/operator/routes`. */

type Shown = ReturnType<typeof showRouteView>;
type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a route that are not empty, without its id and name: as it is in a file. */
export function fieldsOf(route: StoredRoute): Fields {
  const { id: _id, name: _name, ...shown } = showRouteView(route);
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => !isEmpty(value)));
}

const isEmpty = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Returns added routes as the content of a file. */
export const fileOf = (routes: readonly StoredRoute[]) => ({ routes: routes.map(fieldsOf) });

/** Reads the routes of a file. Throws CommandError and Refusal, which name the field. */
export function readRouteFile(path: string): StoredRoute[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CommandError(`${path}: ${error instanceof SyntaxError ? 'no JSON' : (error as Error).message}`);
  }
  const read = replayBody.omit({ added: true }).safeParse(content);
  if (!read.success) throw new CommandError(`${path}: ${firstProblem(read.error).message}`);
  const routes = replayedRoutes(read.data);
  const twice = routes.find((one, at) => routes.findIndex((other) => hasConditionsOf(one, other)) < at);
  if (twice)
    throw new CommandError(`${path}: two routes have the same conditions: ${wordsOf(fieldsOf(twice))}`);
  return routes;
}

/** Whether two routes have the same conditions: then they are the same route. */
export const hasConditionsOf = (one: StoredRoute, other: StoredRoute): boolean =>
  isDeepStrictEqual(one.conditions, other.conditions);

/** A route as the file has it, and the present one with its conditions; undefined without one. */
interface Pair {
  readonly wanted: StoredRoute;
  readonly present: StoredRoute | undefined;
}

/** How the routes of a file differ from the present ones. */
export interface Difference {
  readonly pairs: readonly Pair[];
  readonly removed: readonly StoredRoute[];
  /** Whether routes that stay have another order. */
  readonly isReordered: boolean;
}

/** Compares the routes of a file with the present ones, both in their order. */
export function differenceOf(wanted: readonly StoredRoute[], present: readonly StoredRoute[]): Difference {
  const pairs = wanted.map((one) => ({
    wanted: one,
    present: present.find((other) => hasConditionsOf(one, other)),
  }));
  const kept = pairs.flatMap((pair) => pair.present ?? []);
  return {
    pairs,
    removed: present.filter((one) => !kept.includes(one)),
    isReordered: !isDeepStrictEqual(
      kept,
      present.filter((one) => kept.includes(one)),
    ),
  };
}

/** Whether the present route of a pair has other fields than the one of the file. */
export const isChanged = ({ wanted, present }: Pair): boolean =>
  present !== undefined && !isDeepStrictEqual(fieldsOf(wanted), fieldsOf(present));

/** Returns a difference for programs, and in words: a line for each route that differs. */
export function describe({ pairs, removed, isReordered }: Difference) {
  const added = pairs.filter(({ present }) => present === undefined);
  const changed = pairs.filter(isChanged);
  return {
    shown: {
      added: added.map(({ wanted }) => fieldsOf(wanted)),
      changed: changed.map(({ wanted, present }) => ({
        before: fieldsOf(present!),
        after: fieldsOf(wanted),
      })),
      removed: removed.map(fieldsOf),
      reordered: isReordered,
      order: pairs.map(({ wanted }) => labelOf(fieldsOf(wanted))),
    },
    lines: [
      ...added.map(({ wanted }) => `+ ${wordsOf(fieldsOf(wanted))}`),
      ...changed.flatMap(({ wanted, present }) => changesOf(fieldsOf(present!), fieldsOf(wanted))),
      ...removed.map((route) => `- ${wordsOf(fieldsOf(route))}`),
      ...(isReordered ? [`order: ${pairs.map(({ wanted }) => labelOf(fieldsOf(wanted))).join(', ')}`] : []),
    ],
  };
}

function changesOf(before: Fields, after: Fields): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return changed.map(
    (name) => `~ ${labelOf(before)}: ${name}: ${textOf(before[name])} -> ${textOf(after[name])}`,
  );
}

/** Words for a route: each of its fields that is not empty. */
export function wordsOf(route: Fields | Shown): string {
  const { id: _id, title = '', name = '', ...fields } = route as Fields;
  const words = Object.entries(fields).flatMap(([field, value]) =>
    isEmpty(value) ? [] : `${field}: ${textOf(value)}`,
  );
  return [title === '' ? name : title, words.join('; ')].filter((part) => part !== '').join('  ');
}

/** Returns the title of a route, or its prefixes without a title. */
const labelOf = ({ title, prefixes }: Fields): string => String(title ?? textOf(prefixes));

function textOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return value
    .map((one) => (typeof one === 'object' ? connectorText(one) : one === '' ? 'any' : one))
    .join(', ');
}

function connectorText({ connector, priority, weight, price }: Shown['connectors'][number]): string {
  const details = [
    ...(priority === 0 ? [] : [`priority ${priority}`]),
    ...(weight === 1 ? [] : [`weight ${weight}`]),
    ...(price === null ? [] : [`price ${price}`]),
  ];
  return details.length === 0 ? connector : `${connector} (${details.join(', ')})`;
}
