import type { ErrorCode } from "../contract.ts";

/** An outcome a person can act on. Anything else that is thrown is a bug: 500 and a log line. */
export class DomainError extends Error {
  constructor(
    readonly code: Exclude<ErrorCode, "internal">,
    message: string,
  ) {
    super(message);
    this.name = "DomainError";
  }
}

export const notFound = (what: string, id: string) =>
  new DomainError("not_found", `There is no ${what} with the id ${JSON.stringify(id)}.`);
