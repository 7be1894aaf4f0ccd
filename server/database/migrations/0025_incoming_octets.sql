-- Parts of incoming messages are kept as octets and decoded when they are joined: a character may be cut between two.
ALTER TABLE incoming_parts ADD COLUMN octets bytea, ADD COLUMN charset text, ADD COLUMN data_coding smallint;
UPDATE incoming_parts SET octets = convert_to(text, 'UTF8'), charset = 'utf-8', data_coding = 0;
ALTER TABLE incoming_parts ALTER COLUMN octets SET NOT NULL, ALTER COLUMN charset SET NOT NULL,
  ALTER COLUMN data_coding SET NOT NULL, DROP COLUMN text;

-- Set for a message that cannot be read: its octets and its data coding. `text` shows them in hexadecimal.
ALTER TABLE incoming ADD COLUMN octets bytea, ADD COLUMN data_coding smallint;
