import { Button, type ButtonProps } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Link } from 'wouter';

type Props = ButtonProps &
  Omit<ButtonHTMLAttributes<HTMLButtonElement>, keyof ButtonProps> & {
    readonly icon: LucideIcon;
    /** Icons that point somewhere are mirrored in Hebrew. */
    readonly mirrored?: boolean;
    /** A page of the console that it leads to. */
    readonly href?: string;
    readonly children: ReactNode;
  };

/** A button with an icon before its text. */
export function Action({ icon: Icon, mirrored = false, href, ...props }: Props) {
  const section = <Icon size={16} {...(mirrored && { className: 'mirrored' })} aria-hidden />;
  if (href === undefined) return <Button leftSection={section} {...props} />;
  const { size, variant, color, fw, mt, children } = props;
  const look = { size, variant, color, fw, mt };
  return (
    <Button component={Link} href={href} leftSection={section} {...look}>
      {children}
    </Button>
  );
}
