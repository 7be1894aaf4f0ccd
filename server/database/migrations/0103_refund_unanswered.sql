-- Whether a message of this price is refunded when it ends with status 105 because the carrier never answered.
ALTER TABLE prices ADD COLUMN refund_unanswered boolean NOT NULL DEFAULT false;
