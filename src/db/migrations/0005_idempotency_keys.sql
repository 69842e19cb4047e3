CREATE TABLE `idempotency_keys` (
	`key` text PRIMARY KEY NOT NULL,
	`request` text NOT NULL,
	`row_id` text,
	`status` integer,
	`body` text,
	`created_at` text NOT NULL
);
