-- Finds the users of mailing lists by a number: phones are stored as they were typed, and the last seven digits are the same in
-- every spelling. The service compares the whole number afterwards.
CREATE INDEX mail_users_phone ON mail_users (account_id, right(regexp_replace(cellphone, '[^0-9]', '', 'g'), 7))
  WHERE cellphone <> '';
