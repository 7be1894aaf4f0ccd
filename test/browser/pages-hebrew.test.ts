import { walkPages } from './pages.ts';

await walkPages('he', 'dark', 'link');
