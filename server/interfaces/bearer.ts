/**
 * The token of an `Authorization` header: `Bearer <token>`, or the token alone (decisions, section 8). Undefined when
 * there is none, or when the header has another scheme.
 */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^(?:Bearer +)?(?!Bearer$)(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
}
