import { useMutation, useQuery } from "@tanstack/react-query";
import { api, invalidate, queryClient, unwrap } from "./client.ts";
import { keyed } from "./keyed.ts";
import { fetchList, PROJECTS, TASKS, upsert } from "./lists.ts";
import type { Project } from "./rows.ts";

type ProjectPatch = Partial<
  Pick<
    Project,
    "name" | "setupCommand" | "worktreeInclude" | "agent" | "agentOptions" | "otherOptions" | "notify"
  > & {
    baseBranch: string;
  }
>;

export const useProjects = () =>
  useQuery({ queryKey: PROJECTS, queryFn: () => fetchList<Project>(PROJECTS) });

export const useAddProject = () =>
  useMutation({
    mutationFn: (path: string, change) => unwrap(api.projects.post({ path }, keyed(change))),
    onSuccess: (project) => upsert(PROJECTS, project),
  });

export const useUpdateProject = (id: string) =>
  useMutation({
    mutationFn: (patch: ProjectPatch, change) => unwrap(api.projects({ id }).patch(patch, keyed(change))),
    onSuccess: (project) => upsert(PROJECTS, project),
  });

/** Whether its agents may notify a person. Takes effect as soon as the switch shows it. */
export const useNotifySwitch = (id: string) =>
  useMutation({
    mutationFn: (notify: boolean, change) => unwrap(api.projects({ id }).patch({ notify }, keyed(change))),
    onMutate: (notify) => showNotify(id, notify),
    onSuccess: (project) => upsert(PROJECTS, project),
    onError: (_, notify) => showNotify(id, !notify),
  });

const showNotify = (id: string, notify: boolean) => {
  queryClient.setQueryData<Project[]>(PROJECTS, (projects) =>
    projects?.map((project) => (project.id === id ? { ...project, notify } : project)),
  );
};

export async function removeProject({ id }: Project, change: object): Promise<void> {
  upsert(PROJECTS, await unwrap(api.projects({ id }).delete(undefined, keyed(change))));
}

/** Its tasks come back with it. */
export async function restoreProject(id: string, change: object): Promise<void> {
  upsert(PROJECTS, await unwrap(api.projects({ id }).restore.post(undefined, keyed(change, "project"))));
  void invalidate(TASKS);
}

/** Makes an empty commit in a repository that has none. */
export async function makeFirstCommit(id: string, change: object): Promise<void> {
  upsert(PROJECTS, await unwrap(api.projects({ id })["first-commit"].post(undefined, keyed(change))));
}
