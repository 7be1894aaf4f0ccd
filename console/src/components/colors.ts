/* Text colours with a meaning, with a contrast of at least 4.5 in both themes. The text itself states the meaning, too. */

export const goodText = 'light-dark(var(--mantine-color-teal-9), var(--mantine-color-teal-4))';
export const warningText = 'light-dark(var(--mantine-color-orange-9), var(--mantine-color-orange-4))';
