import { Button, type ButtonProps } from '@mantine/core';
import { Download as DownloadIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { forAccount } from '../api/acting.ts';

/** A file of /v1 that the browser fetches by itself, of any size. `path` as `/v1/blacklist/export`. */
export function Download({
  path,
  children,
  ...props
}: ButtonProps & { readonly path: string; readonly children: ReactNode }) {
  return (
    <Button
      component="a"
      href={forAccount(new URL(path, location.origin).href)}
      download
      variant="default"
      leftSection={<DownloadIcon size={16} aria-hidden />}
      {...props}
    >
      {children}
    </Button>
  );
}
