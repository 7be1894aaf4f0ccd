import { useLocalStorage } from '@mantine/hooks';

/** On a screen that is touched, Enter is the key of a new line. */
const isTouched = () => matchMedia('(pointer: coarse)').matches;

/** Whether Enter sends, stored in this browser. */
export function useEnterSends() {
  return useLocalStorage<boolean>({
    key: 'carillon-enter-sends',
    defaultValue: !isTouched(),
    getInitialValueInEffect: false,
  });
}
