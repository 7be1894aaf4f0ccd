/** The dialog of Mantine in a script that loads when the first dialog opens. */
export { Modal as default } from '@mantine/core';
