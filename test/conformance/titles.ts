const call = /\b(?:test|describe)\(\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/g;

/**
 * Patterns of the titles of tests and suites that stand in a source. A `${form}` in one is a form of the interface, and
 * any other placeholder any text; one that is a placeholder alone says nothing, and is left out.
 */
export function titlesIn(source: string): RegExp[] {
  return [...source.matchAll(call)].flatMap(([, single, double, template]) => {
    const pieces = (single ?? double ?? template!).split(/\$\{([^}]*)\}/);
    if (template === undefined) return pattern([(single ?? double)!.replaceAll(/\\(.)/g, '$1')]);
    // Every other piece is what stood between the braces.
    const literal = pieces.filter((_, index) => index % 2 === 0).join('');
    return /\p{L}/u.test(literal) ? pattern(pieces) : [];
  });
}

function pattern(pieces: readonly string[]): RegExp[] {
  const parts = pieces.map((piece, index) => {
    if (index % 2 === 0) return RegExp.escape(piece);
    return piece === 'form' ? '(?:xml|json)' : '.+';
  });
  return [new RegExp(`^${parts.join('')}$`, 's')];
}
