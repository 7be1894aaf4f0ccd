/*
 * Limits of request bodies, for every API. Each is far above what the largest legal request needs: a 10 MiB body of
 * nothing but phone numbers has 1,050,000 values, a contact has 7 keys, a text in XML one attribute.
 */

const MIB = 1024 * 1024;

/** Bytes of a body that comes with a token (decisions, "Size"). */
export const MAX_BODY = 10 * MIB;

/** Bytes of a body that comes without a valid token: it may carry a password, and nobody knows yet who sends it. */
export const MAX_ANONYMOUS_BODY = 64 * 1024;

/** Bytes up to which a body is decoded at once: 2 ms at most. Larger ones are decoded in slices. */
export const MAX_UNSLICED_BODY = 64 * 1024;

/**
 * Levels of nesting (decisions, "Unsafe XML"). In XML the root element is the first level; in JSON every object and
 * every array is one, and the outermost object is the first.
 */
export const MAX_DEPTH = 32;

/** Values of a JSON body: objects, arrays, texts, numbers, literals. */
export const MAX_JSON_VALUES = 1_200_000;

/** Characters of one text or number of a JSON body: a mail has a megabyte at most, and JSON reads a text in one piece. */
export const MAX_JSON_TEXT = 2 * MIB;

/** Keys of one JSON object. Objects with many thousands of keys take a microsecond a key, and more. */
export const MAX_JSON_KEYS = 1_000;

/** Elements of an XML body, and different names among the elements of one element. */
export const MAX_XML_ELEMENTS = 600_000;
export const MAX_XML_NAMES = 1_000;

/** Attributes of one element: saxes compares each with all others. */
export const MAX_XML_ATTRIBUTES = 32;

/** Different keys of a JSON body, or names in an XML body. Objects of 600,000 different shapes take 3 µs each. */
export const MAX_DIFFERENT_NAMES = 10_000;
