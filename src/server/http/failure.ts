import { ValidationError } from "elysia";
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from "../../contract.ts";
import { DomainError } from "../errors.ts";
import type { Log } from "../log.ts";
import { systemFailure } from "../system-failure.ts";

/** Turns whatever was thrown into the common error format. */
export function failureResponse(error: unknown, code: string | number, log: Log): Response {
  const cause = code === "PARSE" && error instanceof Error ? error.cause : error; // Elysia wraps what onParse throws
  if (cause instanceof DomainError) return respond(cause.code, cause.message);
  if (error instanceof ValidationError) return respond("invalid", describeInvalid(error));
  if (code === "NOT_FOUND") return respond("not_found", "There is nothing at this address.");
  if (code === "PARSE") return respond("malformed", "The body could not be read as JSON.");
  log.error("unexpected error", error);
  const known = systemFailure(error);
  if (known !== undefined) return respond(known.code, known.message);
  return respond("internal", "Something went wrong inside banto. See its log.");
}

function respond(code: ErrorCode, message: string): Response {
  const body: ErrorBody = { error: { code, message } };
  return Response.json(body, { status: ERROR_STATUS[code] });
}

interface Schema {
  type?: string;
  anyOf?: Schema[];
  const?: unknown;
  maxLength?: number;
  minLength?: number;
}

interface Problem {
  path: string;
  message: string;
  schema: Schema;
  value: unknown;
}

function describeInvalid(error: ValidationError): string {
  const problem = firstProblem(error);
  if (problem === undefined) return "The request does not have the expected form.";
  const field = problem.path.replace(/^\//, "").replaceAll("/", ".");
  return `${field === "" ? `The ${error.type}` : field}: ${explain(problem)}.`;
}

function firstProblem(error: ValidationError): Problem | undefined {
  try {
    return error.all[0] as unknown as Problem | undefined;
  } catch {
    return undefined; // Elysia could not describe it; the status has to do
  }
}

function explain({ schema, value, message }: Problem): string {
  if (message === "Unexpected property") return "is not a known field";
  if (value === undefined) return "is required";
  const choices = (schema.anyOf ?? []).flatMap((option) => ("const" in option ? [String(option.const)] : []));
  if (choices.length > 0) return `must be one of ${choices.join(", ")}`;
  const options = [schema, ...(schema.anyOf ?? [])];
  if (typeof value === "string") {
    const longest = options.find(({ maxLength }) => maxLength !== undefined)?.maxLength;
    if (longest !== undefined && value.length > longest) return `must be at most ${longest} characters`;
    if (schema.minLength !== undefined && value.length < schema.minLength) return "must not be empty";
  }
  const types = options.flatMap((option) => option.type ?? []);
  return types.length > 0 ? `must be ${types.join(" or ")}` : message;
}
