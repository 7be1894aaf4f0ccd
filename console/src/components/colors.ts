/* Text colours with a meaning, with a contrast of at least 4.5 in both themes. The text itself states the meaning, too. */

export const goodText = 'var(--good-ink)';
export const warningText = 'var(--wait-ink)';
