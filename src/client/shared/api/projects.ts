import { useMutation, useQuery } from "@tanstack/react-query";
import { api, invalidate, mutate, queryClient, unwrap } from "./client.ts";
import { fetchList, PROJECTS, TASKS, upsert } from "./lists.ts";
import type { Project } from "./rows.ts";

type ProjectPatch = Partial<
  Pick<Project, "name" | "setupCommand" | "worktreeInclude" | "agentOptions" | "notify"> & {
    baseBranch: string;
  }
>;

export const useProjects = () =>
  useQuery({ queryKey: PROJECTS, queryFn: () => fetchList<Project>(PROJECTS) });

export const useAddProject = () =>
  useMutation({
    mutationFn: (path: string) => unwrap(api.projects.post({ path })),
    onSuccess: (project) => upsert(PROJECTS, project),
  });

export const useUpdateProject = (id: string) =>
  useMutation({
    mutationFn: (patch: ProjectPatch) => unwrap(api.projects({ id }).patch(patch)),
    onSuccess: (project) => upsert(PROJECTS, project),
  });

/** Whether its agents may notify a person. It counts from the moment the switch shows it. */
export const useNotifySwitch = (id: string) =>
  useMutation({
    mutationFn: (notify: boolean) => unwrap(api.projects({ id }).patch({ notify })),
    onMutate: (notify) => showNotify(id, notify),
    onSuccess: (project) => upsert(PROJECTS, project),
    onError: (_, notify) => showNotify(id, !notify),
  });

const showNotify = (id: string, notify: boolean) => {
  queryClient.setQueryData<Project[]>(PROJECTS, (projects) =>
    projects?.map((project) => (project.id === id ? { ...project, notify } : project)),
  );
};

export async function removeProject({ id }: Project): Promise<void> {
  upsert(PROJECTS, await mutate(() => unwrap(api.projects({ id }).delete())));
}

/** Its tasks come back with it. */
export async function restoreProject(id: string): Promise<void> {
  upsert(PROJECTS, await unwrap(api.projects({ id }).restore.post()));
  void invalidate(TASKS);
}
