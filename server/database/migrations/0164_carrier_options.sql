-- Options of a send for the network, besides the text: the message class, and parameters of vendors. Null: none.
ALTER TABLE shipments ADD COLUMN carrier_options jsonb;
ALTER TABLE smpp_part_groups ADD COLUMN carrier_options jsonb;
