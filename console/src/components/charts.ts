/** An axis that counts messages or clicks has no mark between two whole numbers. */
export const wholeTicks = { allowDecimals: false } as const;
