/* Notifications of the system, for the moment when the table waits for you and you are looking elsewhere. */
import { t } from './strings.js';

let shown = null;

export const possible = () => 'Notification' in window;

/* Must be called from a press: browsers ask only then. */
export async function allow() {
  return (
    possible() && (Notification.permission === 'granted' || (await Notification.requestPermission()) === 'granted')
  );
}

/* `when` is the setting: off, hidden, always. */
export function notify(title, body, when) {
  if (when === 'off' || !possible() || Notification.permission !== 'granted') return;
  if (when === 'hidden' && document.visibilityState === 'visible' && document.hasFocus()) return;
  shown?.close();
  shown = new Notification(title, { body, tag: 'p2pkaboo', icon: '/icon.svg' });
  shown.onclick = () => {
    window.focus();
    shown?.close();
  };
}

/* The tab's own title says it too. */
export function title(table) {
  const mine = table && table.choices.some((c) => !c.off && !['snap', 'ready', 'leave'].includes(c.command));
  document.title = mine ? `● ${t('now.your_turn')} – p2pkaboo` : table ? `${table.name} – p2pkaboo` : 'p2pkaboo';
}
