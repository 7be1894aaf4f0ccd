/** Makes a text from outside storable: removes NUL and replaces lone surrogates. */
export const harmless = (text: string): string => text.replaceAll('\0', '').toWellFormed();
