import { Textarea, type TextareaProps } from '@mantine/core';
import { type RefObject, useRef } from 'react';
import { writtenText } from '../../components/direction.ts';
import './placeholder-area.css';

/** A text area that shows the placeholders of its text, `{{City}}`, as chips. */
export function PlaceholderArea({
  area,
  value,
  ...props
}: {
  readonly area: RefObject<HTMLTextAreaElement | null>;
  readonly value: string;
} & Omit<TextareaProps, 'value' | 'ref' | 'inputContainer'>) {
  const chips = useRef<HTMLDivElement>(null);
  const pieces = value.split(/(\{\{[^{}]{1,100}\}\})/);
  return (
    <Textarea
      ref={area}
      {...writtenText}
      {...props}
      value={value}
      onScroll={(event) => {
        if (chips.current) chips.current.scrollTop = event.currentTarget.scrollTop;
      }}
      inputContainer={(input) => (
        <div className="placeholder-area">
          <div ref={chips} className="placeholder-chips" dir="auto" aria-hidden>
            {pieces.map((piece, index) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have nothing but their place
              index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece,
            )}
          </div>
          {input}
        </div>
      )}
    />
  );
}
