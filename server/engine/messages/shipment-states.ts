/** Values of `state` of a shipment. A paused shipment also has `paused_at`. */
export const shipmentStates = { scheduled: 0, running: 1, cancelled: 2 } as const;
