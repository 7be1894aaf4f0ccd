-- Why nothing can be handed over to a link, where its TLS is the cause: the reason, and what the error said.
ALTER TABLE links
  ADD COLUMN problem text,
  ADD COLUMN problem_detail text;
