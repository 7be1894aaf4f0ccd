/**
 * Direction of text inputs whose content is independent of the direction of the page: `<TextInput {...writtenText} />` for
 * text that people write. (Mantine puts `dir` around the input, which is right for `ltr`: numbers, names and codes.)
 */
export const writtenText = { attributes: { input: { dir: 'auto' } } };
