/**
 * For text inputs whose content has a direction of its own, whatever the page's: `<TextInput {...writtenText} />` for what
 * people write. (Mantine puts `dir` around the input, which is right for `ltr`: numbers, names and codes.)
 */
export const writtenText = { attributes: { input: { dir: 'auto' } } };
