/** Address of the composer of a channel; that of SMS is the first one and needs no channel. */
export function sendAddress(channel: string, query: Readonly<Record<string, string>> = {}): string {
  const asked = new URLSearchParams({ ...(channel !== 'sms' && { channel }), ...query });
  return asked.size === 0 ? '/send' : `/send?${asked}`;
}
