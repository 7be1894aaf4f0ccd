import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copy } from './copy.tsx';
import { TextLink } from './text.tsx';
import './facts.css';

/** Names and their values, one a line unless `className` has another layout. */
export function Facts({
  rows,
  className = 'facts',
}: {
  readonly rows: readonly (readonly [name: string, value: ReactNode])[];
  readonly className?: string;
}) {
  return (
    <dl className={className}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** An id with a copy button, linked to its page if it has one. */
export function Id({ value, href }: { readonly value: string; readonly href?: string }) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {href === undefined ? (
        <bdi dir="ltr" className="figures">
          {value}
        </bdi>
      ) : (
        <TextLink href={href} size="sm">
          <bdi dir="ltr" className="figures">
            {value}
          </bdi>
        </TextLink>
      )}
      <Copy value={value} />
    </Group>
  );
}
