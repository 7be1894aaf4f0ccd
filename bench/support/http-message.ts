/** Returns the body of an HTTP message. */
export const bodyOf = (message: string): string => message.slice(message.indexOf('\r\n\r\n') + 4);
