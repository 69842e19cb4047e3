import { expect } from "bun:test";
import type { ErrorBody, ErrorCode } from "../../src/contract.ts";
import { ERROR_STATUS } from "../../src/contract.ts";
import type { ProjectRow } from "../../src/server/projects/projects.ts";
import type { TaskRow } from "../../src/server/tasks/task-row.ts";
import { TestRepository } from "./repository.ts";
import { type Answer, TestServer } from "./server.ts";

/** A server with one project, for tests that are about cards. */
export class TestBoard implements AsyncDisposable {
  private constructor(
    readonly server: TestServer,
    readonly repository: TestRepository,
    readonly project: ProjectRow,
  ) {}

  static start(env?: Record<string, string>, wrapper?: string[]): Promise<TestBoard> {
    return TestBoard.with(TestServer.start(env, wrapper));
  }

  /** See `TestServer.startShipped`. */
  static startShipped(env?: Record<string, string>, wrapper?: string[]): Promise<TestBoard> {
    return TestBoard.with(TestServer.startShipped(env, wrapper));
  }

  /** Inside this process: see `TestServer.startHere`. */
  static startHere(env?: Record<string, string>): Promise<TestBoard> {
    return TestBoard.with(TestServer.startHere(env));
  }

  private static async with(starting: Promise<TestServer>): Promise<TestBoard> {
    const [server, repository] = await Promise.all([starting, TestRepository.create("board")]);
    const { body } = await server.post<ProjectRow>("/api/projects", { path: repository.path });
    return new TestBoard(server, repository, body);
  }

  async addTask(fields: Record<string, unknown> = {}): Promise<TaskRow> {
    const body = { projectId: this.project.id, title: "A task", ...fields };
    const answer = await this.server.post<TaskRow>("/api/tasks", body);
    expect(answer.status).toBe(201);
    return answer.body;
  }

  async column(status: TaskRow["status"]): Promise<TaskRow[]> {
    return (await this.server.get<TaskRow[]>(`/api/tasks?status=${status}`)).body;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    this.repository[Symbol.dispose]();
  }
}

/** The answer is an error of this code, in the one error shape, whose message says this. */
export function expectFailure(answer: Answer<unknown>, code: ErrorCode, message: string | RegExp) {
  const { error } = answer.body as ErrorBody;
  expect({ status: answer.status, code: error?.code }).toEqual({ status: ERROR_STATUS[code], code });
  expect(error.message).toMatch(message);
}
