-- The socket at which other processes of the same machine hand accepted messages over to the dispatcher of this process. Processes of an
-- earlier version neither write nor read it.
ALTER TABLE processes ADD COLUMN peer_socket text;
