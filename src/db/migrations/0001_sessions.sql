ALTER TABLE `session_logs` ADD `session_id` text;--> statement-breakpoint
ALTER TABLE `session_logs` ADD `archived_at` text;--> statement-breakpoint
ALTER TABLE `session_logs` ADD `archived_for` text;--> statement-breakpoint
ALTER TABLE `session_logs` ADD `trash` text;--> statement-breakpoint
ALTER TABLE `session_logs` ADD `purged_at` text;--> statement-breakpoint
CREATE UNIQUE INDEX `session_logs_session` ON `session_logs` (`session_id`);--> statement-breakpoint
ALTER TABLE `tasks` ADD `session_operation` text;--> statement-breakpoint
CREATE UNIQUE INDEX `operations_task` ON `operations` (`task_id`);