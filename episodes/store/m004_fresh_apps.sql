ALTER TABLE step ADD COLUMN app_fit TEXT;
ALTER TABLE step ADD COLUMN app_requested_device_us INTEGER;
ALTER TABLE step ADD COLUMN app_requested_host_ns INTEGER;
ALTER TABLE step ADD COLUMN app_requested_error_us INTEGER;
ALTER TABLE step ADD COLUMN app_answered_device_us INTEGER;
ALTER TABLE step ADD COLUMN app_answered_host_ns INTEGER;
ALTER TABLE step ADD COLUMN app_answered_error_us INTEGER;
ALTER TABLE frame ADD COLUMN protected INTEGER NOT NULL DEFAULT 0;
UPDATE step SET app_fit = 'unknown' WHERE package IS NOT NULL;
