/** Elements for text: single letters are not shortcuts there. */
export const EDITABLE = 'input, textarea, select, [contenteditable=true]';
