-- Agents see and answer the conversations of their account, and nothing else.
ALTER TABLE people DROP CONSTRAINT people_role_check;
ALTER TABLE people
  ADD CONSTRAINT people_role_check CHECK (role IN ('agent', 'viewer', 'sender', 'owner', 'operator'));
