import { namesInAnyCase } from './fields.ts';
import { mailOperations } from './operations.ts';

/** The middle segment of the paths (interface, part C: a neutral word in place of a brand). */
export const SEGMENT = 'Mailer';

const PATH = /^\/api\/([^/?]+)\/([^/?]+)(.*)$/is;

/**
 * Paths of the mailing-list API are matched without case (decisions, section 8). Returns a function that gives such a
 * path its documented spelling, with its query, and returns other paths unchanged. `aliases`: additional middle
 * segments.
 */
export function mailPaths(aliases: readonly string[]): (url: string) => string {
  const segments = namesInAnyCase([SEGMENT, ...aliases]);
  const operations = namesInAnyCase(['token', ...mailOperations.map(({ path }) => path)]);
  return (url) => {
    const [, segment = '', operation = '', rest = ''] = PATH.exec(url) ?? [];
    const canonical = segments.get(segment.toLowerCase());
    const path = operations.get(operation.toLowerCase());
    if (canonical === undefined || path === undefined) return url;
    return `/api/${canonical}/${path}${rest}`;
  };
}
