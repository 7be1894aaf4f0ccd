/**
 * Returns the token of an `Authorization` header: `Bearer <token>`, or the token alone (decisions, section 8). Returns
 * undefined without a header, or with another scheme.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^(?:Bearer +)?(?!Bearer$)(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
}
