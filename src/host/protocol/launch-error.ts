export type LaunchReason =
  /** Another host has claimed the session: its program may be running. */
  | "taken"
  | "no_directory"
  | "no_program"
  | "not_executable"
  /** The arguments are longer than the system allows. */
  | "too_long"
  /** The request itself makes no sense, or its socket's path is too long. */
  | "invalid"
  /** Anything else: out of memory or processes, or the host itself broke. */
  | "failed";

/** Why no program was started: a word for the server and a sentence for a person. */
export class LaunchError extends Error {
  override name = "LaunchError";
  constructor(
    readonly reason: LaunchReason,
    message: string,
  ) {
    super(message);
  }
}
