/**
 * Values of `amr` that mean that a second factor was used (RFC 8176, 2). Not among them: `pwd`, `pin` and `kba` (knowledge,
 * as the password is), `user` (somebody was present), `geo`, `rba` and `wia` (a place, a risk score, the session of a
 * workstation), and `mca` (several channels, which may carry one factor).
 */
const amrValues: ReadonlySet<string> = new Set([
  'mfa',
  'otp',
  'hwk',
  'swk',
  'sc',
  'fpt',
  'face',
  'iris',
  'retina',
  'vbm',
  'sms',
  'tel',
]);

/** Values of `acr` with a published meaning of several factors: PAPE, OpenID EAP ACR Values 1.0, the REFEDS MFA profile. */
const acrValues: ReadonlySet<string> = new Set([
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
  'phr',
  'phrh',
  'https://refeds.org/profile/mfa',
]);

/** Accepted values of `second_factor_values`. */
export const secondFactorValues: readonly string[] = [...amrValues, ...acrValues];

/** Whether a value of `second_factor_values` is accepted. */
export const isSecondFactorValue = (value: string): boolean => amrValues.has(value) || acrValues.has(value);

/**
 * Whether an ID token says that a second factor was used, by one of the provider's configured values. Values that do
 * not mean a second factor never count, even if they were stored before they were refused.
 */
export function saysSecondFactor(
  { acr, amr }: Readonly<Record<string, unknown>>,
  configured: readonly string[],
): boolean {
  const methods = [amr].flat();
  return configured.some(
    (value) => (amrValues.has(value) && methods.includes(value)) || (acrValues.has(value) && acr === value),
  );
}
