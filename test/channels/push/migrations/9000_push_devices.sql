-- Devices that got push notifications, and since when the service says that the app is gone.
CREATE TABLE push_devices (
  account_id bigint NOT NULL,
  device text NOT NULL,
  last_at bigint NOT NULL,
  gone_at bigint,
  CONSTRAINT push_devices_pkey PRIMARY KEY (account_id, device)
);
