/**
 * Levels of nesting that a body may have (decisions, "Unsafe XML"). In XML the root element is the first
 * level; in JSON every object and every array is one, and the outermost object is the first.
 */
export const maxDepth = 32;
