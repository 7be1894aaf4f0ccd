/** The hours of a day in which campaigns are sent. Fetched with the pages that show them. */
export const dayHours = {
  label: (day: string, spans: string) => `Sent on ${day}: ${spans}`,
  never: (day: string) => `Nothing is sent on ${day}`,
  span: (from: string, to: string) => `${from} to ${to}`,
  starts: (time: string) => `Starts at ${time}.`,
  zone: (day: string, zone: string) => `${day}, in the time zone ${zone}.`,
  ofRecipients: 'The hours are in the time zone of each recipient.',
};
