import { DomainError } from "../../errors.ts";
import { git } from "./git.ts";

/** The person's name and email for commits, as environment variables. */
export async function identityOf(repository: string): Promise<Record<string, string>> {
  const read = async (key: string) => (await git(repository, ["config", key])).stdout.trim();
  const [name, email] = await Promise.all([read("user.name"), read("user.email")]);
  if (name === "" || email === "") {
    throw new DomainError(
      "invalid",
      "git doesn't know your name and email. Set user.name and user.email with git config --global, and try again.",
    );
  }
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
