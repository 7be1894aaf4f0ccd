import { walkPages } from './pages.ts';

await walkPages({ language: 'he', theme: 'dark', way: 'link', phone: false });
