import {
  ActionIcon,
  Button,
  createTheme,
  defaultVariantColorsResolver,
  Input,
  type MantineColorsTuple,
  type MantineThemeOverride,
  Paper,
} from '@mantine/core';

/* The tokens of design-tokens.css as the theme of Mantine. Mantine computes with the colours of ramps, so their values are here. */

const verdigris: MantineColorsTuple = [
  '#ecf9f8',
  '#d4f0ef',
  '#b0e1df',
  '#84c9c8',
  '#57afae',
  '#309493',
  '#147b7a',
  '#096a69',
  '#0c5555',
  '#0e3f3e',
];

const tin: MantineColorsTuple = [
  '#f9fbfb',
  '#f4f6f7',
  '#eceff0',
  '#dee3e4',
  '#cbd2d4',
  '#a0aaac',
  '#788285',
  '#586365',
  '#3f4a4c',
  '#151d1f',
];

/** Texts, lines and surfaces of the dark theme, in the order in which Mantine uses them. */
const dark: MantineColorsTuple = [
  '#e9edee',
  '#b3bcbe',
  '#8a9598',
  '#566164',
  '#374244',
  '#20292b',
  '#1a2123',
  '#121819',
  '#0f1516',
  '#0b1011',
];

const sizes = ['xs', 'sm', 'md', 'lg', 'xl'] as const;
type Size = (typeof sizes)[number];

const scale = (tokens: Readonly<Record<Size, string>>) => tokens;
const named = (prefix: string) =>
  scale(Object.fromEntries(sizes.map((size) => [size, `var(--${prefix}-${size})`])) as Record<Size, string>);

/** Heights of controls; others than these keep those of Mantine. */
const heights: Readonly<Record<string, string>> = {
  xs: 'var(--control-sm)',
  sm: 'var(--control)',
  md: 'var(--control-lg)',
};

/** Variables of a control, when it has a size of the design; `sm` is the default of the console. */
const heightOf = (name: string, size: unknown) => {
  const height = heights[String(size ?? 'sm')];
  return height === undefined ? {} : { [name]: height };
};

const heading = (size: 'xl' | 'lg' | 'md' | 'sm') => ({
  fontSize: `var(--text-${size})`,
  lineHeight: `var(--lh-${size})`,
});

export const theme = createTheme({
  primaryColor: 'verdigris',
  colors: { verdigris, gray: tin, dark },
  primaryShade: { light: 6, dark: 4 },
  autoContrast: true,
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    const isPrimary = input.variant === 'filled' && (input.color ?? 'verdigris') === 'verdigris';
    // Mantine chooses the text by the shade of the light theme.
    return isPrimary ? { ...colors, color: 'var(--on-accent)' } : colors;
  },
  cursorType: 'pointer',
  fontFamily: 'var(--font-sans)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: named('text'),
  lineHeights: named('lh'),
  spacing: scale({
    xs: 'var(--s-2)',
    sm: 'var(--s-3)',
    md: 'var(--s-4)',
    lg: 'var(--s-6)',
    xl: 'var(--s-8)',
  }),
  radius: named('r'),
  defaultRadius: 'sm',
  shadows: scale({
    xs: 'var(--shadow-1)',
    sm: 'var(--shadow-1)',
    md: 'var(--shadow-2)',
    lg: 'var(--shadow-2)',
    xl: 'var(--shadow-3)',
  }),
  headings: {
    fontFamily: 'var(--font-sans)',
    fontWeight: 'var(--weight-strong)',
    sizes: {
      h1: heading('xl'),
      h2: heading('xl'),
      h3: heading('lg'),
      h4: heading('md'),
      h5: heading('sm'),
      h6: heading('sm'),
    },
  },
  respectReducedMotion: true,
  components: {
    // Most fields are required, so only optional fields are marked.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Button: Button.extend({ vars: (_, { size }) => ({ root: heightOf('--button-height', size) }) }),
    ActionIcon: ActionIcon.extend({
      vars: (_, { size }) => ({ root: size === undefined ? { '--ai-size': 'var(--control-sm)' } : {} }),
    }),
    Input: Input.extend({ vars: (_, { size }) => ({ wrapper: heightOf('--input-height', size) }) }),
    Paper: Paper.extend({ defaultProps: { radius: 'lg' } }),
    // Their `<header>` would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
  },
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
