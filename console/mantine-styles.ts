import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);
/** All styles of Mantine in one file, which `npm run console` serves as it is. */
const whole = require.resolve('@mantine/core/styles.layer.css');
const folder = join(dirname(whole), 'styles');
/** Styles that belong to no component. */
const base = ['default-css-variables', 'baseline', 'global'];

/**
 * A plugin of Vite that loads the styles of each component of Mantine with its script. The styles of all components have
 * 32 kB compressed; the first pages need half of them.
 */
export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    apply: 'build',
    load(id) {
      if (id !== whole) return null;
      return base.map((name) => readFileSync(join(folder, `${name}.layer.css`), 'utf8')).join('\n');
    },
    transform: {
      filter: { id: /@mantine[\\/]core[\\/].*\.module\.mjs$/ },
      handler(code, id) {
        const styles = `${basename(id, '.module.mjs')}.layer.css`;
        if (!existsSync(join(folder, styles))) throw new Error(`Mantine has no ${styles} for ${id}`);
        return { code: `import '@mantine/core/styles/${styles}';\n${code}`, map: null };
      },
    },
  };
}
