/** The voices of the interface (B3). */
export const voices = ['ymMale', 'ymFemale'] as const;
export type Voice = (typeof voices)[number];
