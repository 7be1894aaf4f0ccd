import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../i18n/use-texts.tsx';
import { nonce } from './nonce.ts';
import './mail-frame.css';

/** HTML of an email, title of the frame, and its height (pixels or a CSS length); longer emails scroll. */
interface MailFrameProps {
  readonly html: string;
  readonly title: string;
  readonly height: number | string;
  /** Whether the colours are inverted, but for images, as some programs do in their dark theme. */
  readonly isInverted?: boolean;
}

/**
 * Shows the HTML of an email as a mail program does: scripts do not run, it cannot access the console, and its links open in
 * new windows. It loads the pictures, so use it only for emails of the account and of the sandbox.
 */
export function MailFrame(props: MailFrameProps) {
  return <Frame {...props} loads />;
}

/**
 * Shows an email from another sender. It loads nothing until the person clicks "Load pictures": a request to the sender's
 * host reveals who opened the email, when and from which address.
 */
export function ReceivedMailFrame(props: MailFrameProps) {
  const { conversations: t } = useTexts();
  const [loads, setLoads] = useState(false);
  return (
    <>
      {!loads && mayLoad(props.html) && (
        <div className="mail-pictures">
          <span>{t.picturesBlocked}</span>
          <Button size="compact-sm" variant="light" onClick={() => setLoads(true)}>
            {t.loadPictures}
          </Button>
        </div>
      )}
      {/* A frame keeps the policy of its first document, so a new key replaces the frame. */}
      <Frame {...props} loads={loads} key={String(loads)} />
    </>
  );
}

function Frame({
  html,
  title,
  height,
  isInverted = false,
  loads,
}: MailFrameProps & { readonly loads: boolean }) {
  return (
    <iframe
      className="mail-frame"
      data-inverted={isInverted || undefined}
      style={{ height }}
      title={title}
      // Without allow-scripts and allow-same-origin: its document has no origin and runs nothing.
      sandbox="allow-popups allow-popups-to-escape-sandbox"
      srcDoc={asDocument(html, loads, isInverted)}
    />
  );
}

/** Text of an email with its line breaks. */
export function MailText({ text }: { readonly text: string }) {
  return (
    <pre className="mail-text" dir="auto">
      {text}
    </pre>
  );
}

const style =
  'body{margin:12px;font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}img{max-width:100%}';

/** Inverts images a second time, so that they look as they are. */
const imageStyle = 'img{filter:invert(1) hue-rotate(180deg)}';

/**
 * Permits pictures embedded in the email and nothing else. The policy of the page, which is stricter in other respects,
 * applies as well.
 */
const LOADS_NOTHING = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">`;

/** Returns whether a mail has an element, an attribute or a style that can load a picture. */
const mayLoad = (html: string): boolean =>
  /\b(src|srcset|background|poster)\s*=|<image\b|url\s*\(/i.test(html);

/** The frame has the policy of the console's page, which applies styles only with this nonce. */
function asDocument(html: string, loads: boolean, isInverted: boolean): string {
  const marked = html
    .replaceAll(/<style(?=[\s>])/gi, `<style nonce="${nonce}"`)
    // Browsers complain loudly of what the frame does not let run.
    .replaceAll(/<script\b[\s\S]*?(<\/script\s*>|$)/gi, '')
    // No policy governs connections that a link opens ahead of time (preconnect, dns-prefetch), and a mail could ask for
    // referrers. They are renamed, not removed: what is left after a removal can be the same tag again.
    .replaceAll(/<(?=(link|meta|base)\b)/gi, '<x-')
    .replaceAll(/(?=referrerpolicy)/gi, 'x-');
  return `<!DOCTYPE html>${loads ? '' : LOADS_NOTHING}<base target="_blank"><meta charset="utf-8"><style nonce="${nonce}">${style}${isInverted ? imageStyle : ''}</style><body dir="auto">${marked}`;
}
