import { StrictMode } from 'react';
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

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
