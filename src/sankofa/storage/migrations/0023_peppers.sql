-- Which pepper a key rests on: an operator can see when a retired pepper is no longer needed.

ALTER TABLE ops.key_event ADD COLUMN pepper_id text CHECK (pepper_id ~ '^[0-9a-f]{8}$');
COMMENT ON COLUMN ops.key_event.pepper_id IS
'Name of the pepper that the key was hashed under; null for keys issued before peppers had names.';
GRANT INSERT (pepper_id) ON ops.key_event TO sankofa_keys;
