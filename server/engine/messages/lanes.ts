/** Lanes in order of priority: a lower number never waits for a higher one. */
export const lanes = { otp: 0, single: 1, bulk: 2 } as const;

export type Lane = (typeof lanes)[keyof typeof lanes];

export const laneNames: readonly string[] = Object.keys(lanes);
