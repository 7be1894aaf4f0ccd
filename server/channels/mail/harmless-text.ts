/** A text of others as it can be stored: without NUL and without half characters. */
export const harmless = (text: string): string => text.replaceAll('\0', '').toWellFormed();
