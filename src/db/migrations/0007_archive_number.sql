ALTER TABLE `session_logs` ADD `archive_number` integer;--> statement-breakpoint
UPDATE `session_logs` SET `archive_number` = (SELECT count(DISTINCT `before`.`archived_at`) FROM `session_logs` AS `before` WHERE `before`.`archived_at` <= `session_logs`.`archived_at`) WHERE `archived_at` IS NOT NULL;
