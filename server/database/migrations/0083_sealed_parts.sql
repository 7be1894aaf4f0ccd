-- The octets of a part of a long incoming message in hexadecimal, encrypted; `octets` is empty then (docs/data.md, "Texts").
ALTER TABLE incoming_parts ADD COLUMN sealed text;
