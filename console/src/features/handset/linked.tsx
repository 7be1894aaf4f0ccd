/** A text with its addresses made into links, as phones do. */
export function Linked({ text }: { readonly text: string }) {
  const pieces = text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/);
  return pieces.map((piece, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have nothing but their place
      <a key={index} href={piece} target="_blank" rel="noreferrer" dir="ltr">
        {piece}
      </a>
    ) : (
      piece
    ),
  );
}
