-- Messages a second that the link took when it had more to take: what estimates of finishing times use. Null: not known.
ALTER TABLE links ADD COLUMN observed_rate real;
