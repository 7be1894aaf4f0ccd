-- Ratings by people, and their sum by account, which a job adds up.
CREATE TABLE ratings (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  phone text NOT NULL,
  stars integer NOT NULL,
  is_counted boolean NOT NULL DEFAULT false,
  CONSTRAINT ratings_pkey PRIMARY KEY (account_id, id)
);
CREATE TABLE rating_sums (
  account_id bigint NOT NULL,
  stars bigint NOT NULL,
  count bigint NOT NULL,
  CONSTRAINT rating_sums_pkey PRIMARY KEY (account_id)
);
