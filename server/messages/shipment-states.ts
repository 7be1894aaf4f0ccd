/** `state` of a shipment. One that is paused has `paused_at` beside it. */
export const shipmentStates = { scheduled: 0, running: 1, cancelled: 2 } as const;
