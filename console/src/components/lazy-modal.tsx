import { lazy } from 'react';

/** A dialog, whose script loads when the first one opens. It belongs inside a `Suspense`. */
export const LazyModal = lazy(() => import('./modal.tsx'));
