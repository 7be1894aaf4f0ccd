import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.layer.css';

export { notifications } from '@mantine/notifications';

/** The notifications of the console, above its pages. */
export default function NoticeArea() {
  return <Notifications position="bottom-center" />;
}
