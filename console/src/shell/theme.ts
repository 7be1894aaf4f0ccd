import { createTheme, type MantineColorsTuple, type MantineThemeOverride } from '@mantine/core';

/** Petrol; shade 7 has a contrast of 5.6 on white. */
const petrol: MantineColorsTuple = [
  '#e6f6f8',
  '#cfebef',
  '#a0d6de',
  '#6dc0cc',
  '#45adbd',
  '#2ca1b3',
  '#1a8ea0',
  '#0b7285',
  '#085f70',
  '#044c5a',
];

/** Greys of the dark theme, with a little of the petrol in them. */
const dark: MantineColorsTuple = [
  '#d9e2e5',
  '#b7c4c9',
  '#8fa0a6',
  '#64757b',
  '#45535a',
  '#354147',
  '#283236',
  '#1b2124',
  '#14181a',
  '#0d1011',
];

const font = "'Heebo Variable', system-ui, -apple-system, 'Segoe UI', sans-serif";

export const theme = createTheme({
  primaryColor: 'petrol',
  colors: { petrol, dark },
  primaryShade: 7,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: font,
  fontFamilyMonospace:
    "ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  headings: { fontFamily: font, fontWeight: '650' },
  respectReducedMotion: true,
  // Most fields are required, so only optional fields are marked.
  components: { InputWrapper: { defaultProps: { withAsterisk: false } } },
});

/** Names, in the language of the page, for what Mantine leaves without one. */
export function labelled(close: string): MantineThemeOverride {
  const defaultProps = { closeButtonProps: { 'aria-label': close } };
  return {
    components: {
      Notification: { defaultProps },
      Modal: { defaultProps: { ...defaultProps, centered: true } },
      Drawer: { defaultProps },
    },
  };
}
