import { walkPages } from './pages.ts';

await walkPages({
  language: 'en',
  theme: 'light',
  way: 'address',
  rules: ['color-contrast'],
  phone: true,
});
