CREATE TABLE `logins` (
	`cookie_hash` text PRIMARY KEY NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `operations` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`task_id` text NOT NULL,
	`step` text NOT NULL,
	`detail` text NOT NULL,
	`started_at` text NOT NULL,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `projects` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`path` text NOT NULL,
	`base_branch` text,
	`setup_command` text,
	`worktree_include` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `projects_path` ON `projects` (`path`) WHERE "projects"."deleted_at" is null;--> statement-breakpoint
CREATE TABLE `session_logs` (
	`id` text PRIMARY KEY NOT NULL,
	`task_id` text NOT NULL,
	`started_at` text NOT NULL,
	`ended_at` text NOT NULL,
	`exit_status` text NOT NULL,
	`error` text,
	`branch` text,
	`agent_session_id` text,
	`exit_code` integer,
	`exit_signal` text,
	`snapshot_ref` text,
	`last_reply` text,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `session_logs_task` ON `session_logs` (`task_id`,`ended_at`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`project_id` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`pinned` integer DEFAULT false NOT NULL,
	`status` text DEFAULT 'backlog' NOT NULL,
	`position` text NOT NULL,
	`agent` text NOT NULL,
	`session_status` text,
	`session_id` text,
	`agent_session_id` text,
	`worktree_path` text,
	`branch` text,
	`session_started_at` text,
	`session_error` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	FOREIGN KEY (`project_id`) REFERENCES `projects`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `tasks_column` ON `tasks` (`status`,`position`);--> statement-breakpoint
CREATE INDEX `tasks_project` ON `tasks` (`project_id`);