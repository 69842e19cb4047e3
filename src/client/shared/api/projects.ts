import { useMutation, useQuery } from "@tanstack/react-query";
import { showError, showToast } from "../ui/toast.tsx";
import { api, fetchList, outdate, PROJECTS, queryClient, TASKS, unwrap, upsert } from "./client.ts";

export type Project = NonNullable<Awaited<ReturnType<typeof api.projects.get>>["data"]>[number];

type ProjectPatch = Partial<
  Pick<Project, "name" | "setupCommand" | "worktreeInclude" | "agentOptions" | "notify"> & {
    baseBranch: string;
  }
>;

export const useProjects = () =>
  useQuery({ queryKey: PROJECTS, queryFn: () => fetchList<Project>(PROJECTS) });

/** The caller shows the refusal beside the field it belongs to. */
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

/** Whether its agents may call, which counts from the moment the switch shows it. */
export const useMayCall = (id: string) =>
  useMutation({
    mutationFn: (notify: boolean) => unwrap(api.projects({ id }).patch({ notify })),
    onMutate: (notify) => setMayCall(id, notify),
    onSuccess: (project) => upsert(PROJECTS, project),
    onError: (_, notify) => setMayCall(id, !notify),
  });

const setMayCall = (id: string, notify: boolean) => {
  queryClient.setQueryData<Project[]>(PROJECTS, (projects) =>
    projects?.map((project) => (project.id === id ? { ...project, notify } : project)),
  );
};

export function useRemoveProject() {
  const restore = useMutation({
    mutationFn: (project: Project) => unwrap(api.projects({ id: project.id }).restore.post()),
    onSuccess: (project) => {
      upsert(PROJECTS, project);
      void outdate(TASKS);
    },
    onError: (error, project) =>
      showError(`${project.name} was not brought back`, error, () => restore.mutate(project)),
  });
  const remove = useMutation({
    mutationFn: (project: Project) => unwrap(api.projects({ id: project.id }).delete()),
    onSuccess: (removed, project) => {
      upsert(PROJECTS, removed);
      showToast({
        title: `${project.name} removed from the board`,
        detail: "The repository is untouched.",
        action: { label: "Undo", run: () => restore.mutate(project) },
      });
    },
    onError: (error, project) =>
      showError(`${project.name} was not removed`, error, () => remove.mutate(project)),
  });
  return remove.mutate;
}
