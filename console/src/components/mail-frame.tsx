import { nonce } from './nonce.ts';
import './mail-frame.css';

/**
 * A mail in HTML as a mail program shows it: nothing in it runs, it sees nothing of the console, and its links open in
 * windows of their own. `height` in pixels; what is longer is scrolled.
 */
export function MailFrame({
  html,
  title,
  height,
}: {
  readonly html: string;
  readonly title: string;
  readonly height: number | string;
}) {
  return (
    <iframe
      className="mail-frame"
      style={{ height }}
      title={title}
      // Without allow-scripts and allow-same-origin: it is a document of nobody's, and dead.
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={asDocument(html)}
    />
  );
}

/** A mail's text, with the line breaks that it has. */
export function MailText({ text }: { readonly text: string }) {
  return (
    <pre className="mail-text" dir="auto">
      {text}
    </pre>
  );
}

const style =
  'body{margin:12px;font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}img{max-width:100%}';

/** The frame has the policy of the console's page, which applies styles only with this nonce. */
function asDocument(html: string): string {
  const marked = html
    .replaceAll(/<style(?=[\s>])/gi, `<style nonce="${nonce}"`)
    // Browsers complain loudly of what the frame does not let run.
    .replaceAll(/<script\b[\s\S]*?(<\/script\s*>|$)/gi, '');
  return `<!DOCTYPE html><base target="_blank"><meta charset="utf-8"><style nonce="${nonce}">${style}</style><body dir="auto">${marked}`;
}
