import { walkPages } from './pages.ts';

await walkPages('en', 'light', 'address');
