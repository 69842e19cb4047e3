ALTER TABLE `projects` ADD `agent_options` text;--> statement-breakpoint
ALTER TABLE `projects` ADD `notify` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `session_logs` ADD `cost_usd` real;--> statement-breakpoint
ALTER TABLE `session_logs` ADD `model` text;--> statement-breakpoint
ALTER TABLE `tasks` ADD `agent_options` text;--> statement-breakpoint
ALTER TABLE `tasks` ADD `activity` text;--> statement-breakpoint
ALTER TABLE `tasks` ADD `asks` text;--> statement-breakpoint
ALTER TABLE `tasks` ADD `last_reply` text;