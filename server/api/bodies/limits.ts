/*
 * Limits of request bodies, for every API. Each is far above the needs of the largest legal request: a 10 MiB body of
 * phone numbers has 1,050,000 values, a contact has 7 keys, a text in XML one attribute.
 */

const MIB = 1024 * 1024;

/** Maximum bytes of a body with a token (decisions, "Size"). */
export const MAX_BODY = 10 * MIB;

/**
 * Maximum bytes of a body without a valid token: it may contain a password, so it has to be read from an unknown
 * sender.
 */
export const MAX_ANONYMOUS_BODY = 64 * 1024;

/** Maximum bytes of a body that is decoded in one piece, within 2 ms. Larger ones are decoded in slices. */
export const MAX_UNSLICED_BODY = 64 * 1024;

/**
 * Maximum levels of nesting (decisions, "Unsafe XML"). In XML the root element is the first level; in JSON every object
 * and array is a level, and the outermost object is the first.
 */
export const MAX_DEPTH = 32;

/** Maximum values of a JSON body: objects, arrays, texts, numbers, literals. */
export const MAX_JSON_VALUES = 1_200_000;

/**
 * Maximum characters of a text or number in a JSON body: an email has up to a megabyte, and `JSON.parse` reads a text
 * in one piece.
 */
export const MAX_JSON_TEXT = 2 * MIB;

/** Maximum keys of a JSON object. Objects with many thousands of keys take a microsecond per key or more. */
export const MAX_JSON_KEYS = 1_000;

/** Maximum elements of an XML body, and distinct names among the children of one element. */
export const MAX_XML_ELEMENTS = 600_000;
export const MAX_XML_NAMES = 1_000;

/** Maximum attributes of an element: saxes compares each with all others. */
export const MAX_XML_ATTRIBUTES = 32;

/**
 * Maximum distinct keys of a JSON body, or names in an XML body. Objects of 600,000 different shapes take 3 µs each.
 */
export const MAX_DIFFERENT_NAMES = 10_000;
