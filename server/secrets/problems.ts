/** The secret key is missing, wrong or unusable. Stops the start; the message says what to do. */
export class SecretKeyError extends Error {}
