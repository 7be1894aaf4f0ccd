/* Colours of text that say something, with a contrast of 4.5 and more in both themes. Never alone: words say it too. */

export const goodText = 'light-dark(var(--mantine-color-teal-9), var(--mantine-color-teal-4))';
export const warningText = 'light-dark(var(--mantine-color-orange-9), var(--mantine-color-orange-4))';
