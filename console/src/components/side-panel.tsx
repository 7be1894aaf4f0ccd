import { ActionIcon, CopyButton, Title } from '@mantine/core';
import { useFocusTrap, useMediaQuery, useMergedRef } from '@mantine/hooks';
import {
  Braces,
  Check,
  ChevronDown,
  ChevronUp,
  Link as LinkIcon,
  type LucideIcon,
  Maximize2,
  X,
} from 'lucide-react';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { textsOfPages } from '../i18n/use-texts.tsx';
import { CodeBlock } from './code-block.tsx';
import { Copy } from './copy.tsx';
import { sidePanel as en } from './side-panel-texts.en.ts';
import { sidePanel as he } from './side-panel-texts.he.ts';
import { Loading } from './states.tsx';
import type { Opened } from './use-opened.ts';
import './side-panel.css';

const useSidePanelTexts = textsOfPages({ en, he });

/** Whether the panel covers the whole list, as on phones. */
export const useCoversList = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false }) ?? false;

/**
 * The side panel shows the open row of a list, in the same frame for all kinds of objects: buttons for the previous and the next
 * row, the id, the object as JSON, a permanent link, and actions at the foot.
 */
export function SidePanel({
  opened,
  title,
  id,
  json,
  link,
  page,
  foot,
  children,
}: {
  readonly opened: Pick<Opened<never>, 'close' | 'previous' | 'next'>;
  readonly title: string;
  readonly id: string;
  /** The answer of the API; undefined while it loads. */
  readonly json: unknown;
  /** Path that shows the object after it has left the list. */
  readonly link?: string;
  /** Path of the object's own page, if it has one. */
  readonly page?: string;
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}) {
  const t = useSidePanelTexts();
  const [isRaw, setRaw] = useState(false);
  const covers = useCoversList();
  const panel = useRef<HTMLDivElement>(null);
  const trap = useFocusTrap(covers);
  const ref = useMergedRef(panel, trap);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    panel.current?.focus({ preventScroll: true });
    return () => before?.focus({ preventScroll: true });
  }, []);
  return (
    <div
      ref={ref}
      role="dialog"
      aria-label={title}
      aria-modal={covers || undefined}
      tabIndex={-1}
      className="side-panel"
    >
      <div className="side-panel-bar">
        <BarButton icon={ChevronUp} label={t.previous} onClick={opened.previous} />
        <BarButton icon={ChevronDown} label={t.next} onClick={opened.next} />
        <bdi dir="ltr" className="side-panel-id">
          {id}
        </bdi>
        <Copy value={id} label={t.copyId} />
        <BarButton icon={Braces} label={t.raw} isPressed={isRaw} onClick={() => setRaw(!isRaw)} />
        {link !== undefined && <CopyLink path={link} />}
        {page !== undefined && (
          <ActionIcon
            component={Link}
            href={page}
            variant="subtle"
            color="gray"
            aria-label={t.openPage}
            title={t.openPage}
          >
            <Maximize2 size={16} aria-hidden />
          </ActionIcon>
        )}
        <BarButton icon={X} label={t.close} onClick={opened.close} />
      </div>
      <div className="side-panel-body">
        <Title order={2} size="h4" mb="md" className="break-anywhere">
          {title}
        </Title>
        {/* Here, not around the page: the list stays while the panel loads. */}
        <Suspense fallback={<Loading />}>
          {isRaw ? <CodeBlock code={JSON.stringify(json, null, 2) ?? ''} label={t.raw} /> : children}
        </Suspense>
      </div>
      {Boolean(foot) && <div className="side-panel-foot">{foot}</div>}
    </div>
  );
}

function BarButton({
  icon: Icon,
  label,
  isPressed,
  onClick,
}: {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly isPressed?: boolean;
  /** Disabled without it. */
  readonly onClick: (() => void) | undefined;
}) {
  return (
    <ActionIcon
      variant={isPressed ? 'light' : 'subtle'}
      color="gray"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      disabled={!onClick}
      onClick={onClick}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}

function CopyLink({ path }: { readonly path: string }) {
  const t = useSidePanelTexts();
  return (
    <CopyButton value={new URL(path, location.href).href}>
      {({ copied, copy }) => (
        <BarButton
          icon={copied ? Check : LinkIcon}
          label={copied ? t.linkCopied : t.copyLink}
          onClick={copy}
        />
      )}
    </CopyButton>
  );
}
