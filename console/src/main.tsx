import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@mantine/core/styles.layer.css';
import { prepareRefusals } from './api/client.ts';
import { App } from './app.tsx';
import './design-tokens.css';
import './fonts/fonts.css';
import { loadReasonTexts } from './i18n/load-reasons.ts';
import './mantine.css';
import './styles.css';

prepareRefusals(async ({ reason }) => {
  if (reason !== undefined) await loadReasonTexts();
});

const root = createRoot(document.getElementById('root')!);
const render = (page?: ReactNode) =>
  root.render(
    <StrictMode>
      <App>{page}</App>
    </StrictMode>,
  );

// The build leaves this page out.
if (import.meta.env.DEV && location.pathname === '/console/design') {
  void import('./design/design-page.tsx').then(({ default: DesignPage }) => render(<DesignPage />));
} else render();
