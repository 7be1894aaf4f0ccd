import { Button, type ButtonProps } from '@mantine/core';
import { Download as DownloadIcon } from 'lucide-react';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import { forAccount } from '../api/acting.ts';
import { ensureProof } from '../api/client.ts';
import { useAttempt } from './notify.ts';

/**
 * Link to a file of /v1 of any size. The browser fetches it directly. `path` as `/v1/blacklist/export`. The person proves their
 * identity first: the browser would save a refusal as the file. `withoutProof` is for files that need none.
 */
export function Download({
  path,
  children,
  withoutProof = false,
  ...props
}: ButtonProps & {
  readonly path: string;
  readonly children: ReactNode;
  readonly withoutProof?: boolean;
}) {
  const attempt = useAttempt();
  const isProven = useRef(withoutProof);
  function prove(event: MouseEvent<HTMLAnchorElement>) {
    if (isProven.current) {
      isProven.current = withoutProof;
      return;
    }
    event.preventDefault();
    const link = event.currentTarget;
    void attempt(async () => {
      if (!(await ensureProof())) return;
      isProven.current = true;
      link.click();
    });
  }
  return (
    <Button
      component="a"
      href={forAccount(new URL(path, location.origin).href)}
      download
      onClick={prove}
      variant="default"
      leftSection={<DownloadIcon size={16} aria-hidden />}
      {...props}
    >
      {children}
    </Button>
  );
}
