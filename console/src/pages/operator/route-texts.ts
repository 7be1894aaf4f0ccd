import { textsOfPages } from '../../i18n/use-texts.tsx';
import { routes as en } from './route-texts.en.ts';
import { routes as he } from './route-texts.he.ts';

/** The texts of routes, which are fetched with their page. */
export const useRouteTexts = textsOfPages({ en, he });
