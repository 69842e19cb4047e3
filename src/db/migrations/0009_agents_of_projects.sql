ALTER TABLE `projects` ADD `agent` text;--> statement-breakpoint
ALTER TABLE `projects` ADD `other_options` text;--> statement-breakpoint
ALTER TABLE `tasks` ADD `other_options` text;