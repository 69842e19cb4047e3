CREATE TABLE `audit_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` text NOT NULL,
	`action` text NOT NULL,
	`task_id` text,
	`project_id` text,
	`who` text NOT NULL,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_entries_task` ON `audit_entries` (`task_id`);--> statement-breakpoint
CREATE TRIGGER `audit_entries_stay_as_they_are` BEFORE UPDATE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'entries of the audit are never changed'); END;--> statement-breakpoint
CREATE TRIGGER `audit_entries_stay` BEFORE DELETE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'entries of the audit are never removed'); END;
